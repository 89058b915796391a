import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, App, Button, Card, Checkbox, Flex, Form, Input, Tag } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { type ActivityDetail, createActivity, updateActivity } from '#contract/activity.ts'
import type { SettledPlan } from '#contract/activity-plan.ts'
import { sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { ChangeButton } from '../../../components/ChangeButton.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { IconButton } from '../../../components/IconButton.tsx'
import text from '../../../components/text.module.css'
import { useConfirm } from '../../../components/use-confirm.ts'
import { useLeaveGuard } from '../../../components/use-leave-guard.ts'
import { PlatformMark } from '../../../domain/platform/PlatformMark.tsx'
import { isCallError, isFault } from '../../../lib/call.ts'
import { embedding } from '../../../lib/embedding.ts'
import { useAction } from '../../../lib/query.ts'
import { useReadOnly } from '../../../lib/read-only.ts'
import { AFTER_CHANGE } from '../use-activity-actions.tsx'
import { type Draft, draftOf, emptyDraft, isSame, newPlan, type PlanDraft, savedOf } from './draft.ts'
import { faultItem, noticeItem } from './fault-item.tsx'
import {
  CONTROLS,
  controlOf,
  type Fault,
  faultsAtOnce,
  faultsOf,
  fieldsIn,
  firstFault,
  placed,
  stillThere,
  UNNAMED,
} from './faults.ts'
import { changedParts, mergedDraft } from './merge.ts'
import { PlanForm } from './PlanForm.tsx'
import { ProductField } from './ProductField.tsx'
import { type PlanLink, withLink } from './plan-link.ts'
import { useSameName } from './use-same-name.ts'
import styles from './workbench.module.css'

export interface SavedActivity {
  id: number
  name: string
  /** Saved for the first time, and not submitted: it has a URL of its own from now on. */
  isNewDraft: boolean
}

interface Props {
  advId: number
  /** null for a new one. */
  activity: ActivityDetail | null
  /** The plan of reports for which it was opened. */
  link: PlanLink | null
  onSaved: (saved: SavedActivity) => void
  onCancel: () => void
}

/** One activity with its plans, to make and to change. */
export function Workbench({ advId, activity, link, onSaved, onCancel }: Props) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const [base, setBase] = useState<{ draft: Draft; ver: number; isSubmitted: boolean }>(() => ({
    draft: activity ? draftOf(activity) : emptyDraft(),
    ver: activity?.ver ?? 0,
    isSubmitted: activity !== null && activity.status !== 0,
  }))
  const [draft, setDraft] = useState(() => (link ? withLink(base.draft, link) : base.draft))
  const [selected, setSelected] = useState<string | null>(
    () => (link ? draft.plans.find(({ plan_id }) => plan_id === link.plan_id) : draft.plans[0])?.key ?? null,
  )
  // What the last attempt to save found; it is said until what it is about changes.
  const [refused, setRefused] = useState<{ faults: readonly Fault[]; draft: Draft } | null>(null)
  const left = refused ? stillThere(refused.faults, refused.draft, draft) : []
  const faults = [...faultsAtOnce(draft), ...left]
  // A frame takes no focus from the site around it.
  const goTo = useGoTo(activity === null && !embedding() ? NAME : null)
  const readOnly = useReadOnly()(advId) !== null
  const isUnsaved = !isSame(draft, base.draft)
  // Read when the page is left, which is at once.
  const isSaved = useRef(false)
  useLeaveGuard({
    isUnsaved: () => isUnsaved && !isSaved.current,
    lost: '对活动与计划的修改还没有保存，离开后会丢失。',
    isOneAdvertisers: true,
  })
  const creating = useAction(createActivity, AFTER_CHANGE, { meta: { quiet: true } })
  const updating = useAction(updateActivity, AFTER_CHANGE, { meta: { quiet: true } })
  const isBusy = creating.isPending || updating.isPending

  // The activity is read again while its plans change on their platforms; the form keeps what was opened.
  const [ends, setEnds] = useState(() => new Map((activity?.plans ?? []).map(({ id, end_date }) => [id, end_date])))
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const changePlan = (key: string, next: (plan: PlanDraft) => PlanDraft) =>
    setDraft((now) => ({ ...now, plans: now.plans.map((plan) => (plan.key === key ? next(plan) : plan)) }))
  /** What is saved of a plan is otherwise now; what else was changed in the form stays. */
  const settle = (id: number, { ver, ...plan }: SettledPlan) => {
    // Somebody else saved meanwhile: the next save is refused and says so.
    if (ver > base.ver + 1) return
    const taken = (now: Draft) => ({
      ...now,
      plans: now.plans.map((one) => (one.id === id ? { ...one, ...plan } : one)),
    })
    setBase((now) => ({ ...now, ver, draft: taken(now.draft) }))
    if (ver > base.ver) {
      setDraft(taken)
      setEnds((now) => new Map(now).set(id, plan.end_date))
    }
  }
  const add = () => {
    const names = new Set(draft.plans.map(({ name }) => name))
    let no = draft.plans.length + 1
    while (names.has(`计划${no}`)) no += 1
    const plan = newPlan(draft.plans.at(-1)?.platform, no)
    change({ plans: [...draft.plans, plan] })
    setSelected(plan.key)
    goTo(PLAN_NAME, { isReplaced: true })
  }
  const removePlan = (plan: PlanDraft) => {
    const gone = () => {
      const rest = draft.plans.filter(({ key }) => key !== plan.key)
      change({ plans: rest })
      if (selected === plan.key) setSelected(rest[0]?.key ?? null)
      goTo(ADD)
    }
    if (plan.id === undefined) return gone()
    confirm({
      title: `删除计划「${plan.name}」？`,
      content: `保存后生效。${plan.plan_id === null && plan.creation === null ? '' : '在投放时，平台上的计划会被暂停。'}`,
      okText: '删除',
      isDanger: true,
      onOk: gone,
    })
  }

  /** Brings the first field in sight that has to be changed. */
  const showFirst = (found: readonly Fault[]) => {
    const first = firstFault(found, draft)
    if (first?.plan) setSelected(first.plan)
    goTo((first && controlOf(first)) ?? TOP)
  }
  const refuse = (found: readonly Fault[]) => {
    setRefused({ faults: found, draft })
    showFirst(found)
  }

  const save = async (submit: boolean) => {
    const found = faultsOf(draft, submit || base.isSubmitted, ends)
    if (found.length > 0) return refuse(found)
    setRefused(null)
    const body = { ...savedOf(draft), submit }
    try {
      if (activity === null) {
        const { id } = await creating.mutateAsync({ body: { ...body, advertiser_id: advId } })
        message.success(submit ? '提交成功' : '保存成功')
        isSaved.current = true
        return onSaved({ id, name: draft.name, isNewDraft: !submit })
      }
      await updating.mutateAsync({ body: { ...body, id: activity.id, ver: base.ver } })
      message.success(submit && !base.isSubmitted ? '提交成功' : '保存成功')
      isSaved.current = true
      onSaved({ id: activity.id, name: draft.name, isNewDraft: false })
    } catch (error) {
      if (isFault(error, 'activityStale') && isCallError(error)) return askStale(error.message, error.data)
      if (isFault(error, 'activityRefused') && isCallError(error)) return refuse(placed(problemsIn(error.data), draft))
      message.error((error as Error).message || '请求失败')
    }
  }

  /** Somebody else saved meanwhile: their version is taken, or mine goes on with what they changed beside it. */
  const askStale = (said: string, data: unknown) => {
    const { saved } = data as { saved: ActivityDetail }
    const latest = draftOf(saved)
    const theirs = changedParts(base.draft, latest)
    const goOn = (next: Draft) => {
      setBase({ draft: latest, ver: saved.ver, isSubmitted: saved.status !== 0 })
      setEnds(new Map(saved.plans.map(({ id, end_date }) => [id, end_date])))
      setDraft(next)
      setSelected((key) => (next.plans.find((plan) => plan.key === key) ?? next.plans[0])?.key ?? null)
      setRefused(null)
    }
    confirm({
      title: '此活动已在别处被修改',
      content: `${said}。${theirs.length === 0 ? '' : `已保存的修改：${theirs.join('；')}。`}查看最新内容会放弃我的修改；继续编辑会保留我改过的，其余换成最新的，再次保存即可。`,
      okText: '查看最新内容',
      cancelText: '继续编辑',
      isSafeFirst: true,
      onOk: () => goOn(latest),
      onCancel: () => goOn(mergedDraft(base.draft, draft, latest)),
    })
  }

  const shown = draft.plans.find(({ key }) => key === selected) ?? null
  const above = faults.filter(({ field }) => field === null)
  const faultAt = (field: 'name' | 'plans') => faults.find((one) => one.field === field)?.reason ?? null
  const withoutPlans = faultAt('plans')
  const sameName = useSameName(advId, draft.name, activity?.id)
  const nameFault = faultAt('name')
  return (
    <>
      <div id={TOP} tabIndex={-1} />
      {above.length > 0 && (
        <Alert
          type="error"
          showIcon
          role="alert"
          className={styles.problems}
          title={
            <ul className={styles.sentences}>
              {above
                .map(({ reason }) => sentenceOf(reason))
                .map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
            </ul>
          }
        />
      )}
      <Card className={styles.base}>
        <Form layout="vertical" component="div" disabled={readOnly}>
          <Flex gap={16} wrap>
            <Form.Item
              label="活动名称"
              htmlFor="activity-name"
              className={styles.field}
              {...(nameFault
                ? faultItem(nameFault)
                : noticeItem(sameName === null ? null : `已有同名的活动（ID ${sameName}），可以保存，但不易分辨`))}
            >
              <Input
                id="activity-name"
                value={draft.name}
                maxLength={60}
                placeholder="1 到 30 个字符"
                count={{ show: true, max: 30 }}
                onChange={({ target }) => change({ name: target.value })}
              />
            </Form.Item>
            <Form.Item label="产品" htmlFor="activity-product" className={styles.field}>
              <ProductField
                id="activity-product"
                advId={advId}
                value={draft.product_id}
                opened={openedProduct(activity)}
                onChange={(product_id) => change({ product_id })}
              />
            </Form.Item>
            <Form.Item label="平台数据" htmlFor="activity-auto-sync">
              <Checkbox
                id="activity-auto-sync"
                checked={draft.auto_sync === 1}
                onChange={({ target }) => change({ auto_sync: target.checked ? 1 : 0 })}
              >
                每天自动同步
              </Checkbox>
            </Form.Item>
          </Flex>
        </Form>
      </Card>
      <div className={styles.columns}>
        <Card
          title="计划"
          className={styles.plans}
          extra={
            <ChangeButton id="activity-add" changes={advId} size="small" icon={<PlusOutlined />} onClick={add}>
              添加计划
            </ChangeButton>
          }
        >
          {withoutPlans && (
            <p role="alert" className={text.problem}>
              {sentenceOf(withoutPlans)}
            </p>
          )}
          {draft.plans.length === 0 ? (
            <EmptyState title="还没有计划" hint="计划说明在哪个账户、投给谁、花多少、投多久。" />
          ) : (
            <ul className={styles.list} aria-label="计划">
              {draft.plans.map((plan) => (
                <li
                  key={plan.key}
                  className={plan.key === selected ? `${styles.item} ${styles.selected}` : styles.item}
                >
                  <button
                    type="button"
                    aria-current={plan.key === selected}
                    className={styles.choose}
                    onClick={() => setSelected(plan.key)}
                  >
                    <PlatformMark platform={plan.platform} />
                    <span className={`${text.cut} ${styles.planName}`}>{plan.name || UNNAMED}</span>
                    {faults.some((one) => one.plan === plan.key) && <Tag color="error">需修改</Tag>}
                    {plan.plan_id === null && (
                      <span className={text.small}>{plan.creation === null ? '仅本地' : '在平台新建'}</span>
                    )}
                  </button>
                  <IconButton
                    name={`删除计划「${plan.name}」`}
                    icon={<DeleteOutlined />}
                    size="small"
                    changes={advId}
                    onClick={() => removePlan(plan)}
                  />
                </li>
              ))}
            </ul>
          )}
        </Card>
        <Card className={styles.form}>
          {shown ? (
            <PlanForm
              key={shown.key}
              advId={advId}
              plan={shown}
              sync={activity?.plans.find(({ id }) => id === shown.id)?.sync ?? shown.sync ?? null}
              isAccountFixed={base.isSubmitted && shown.id !== undefined}
              readOnly={readOnly}
              faultAt={(field) => faults.find((one) => one.plan === shown.key && one.field === field)?.reason ?? null}
              onChange={(next) => changePlan(shown.key, next)}
              onSettled={(plan) => shown.id !== undefined && settle(shown.id, plan)}
            />
          ) : (
            <EmptyState
              title="选择或添加一个计划"
              action={
                <ChangeButton changes={advId} type="primary" onClick={add}>
                  添加计划
                </ChangeButton>
              }
            />
          )}
        </Card>
      </div>
      <Flex gap={8} justify="flex-end" align="center" className={styles.footer}>
        {left.length > 0 && (
          <Button type="link" danger onClick={() => showFirst(left)}>
            还有 {fieldsIn(left)} 处需修改
          </Button>
        )}
        <Button onClick={onCancel}>{readOnly ? '返回' : '取消'}</Button>
        <ChangeButton
          changes={advId}
          type={base.isSubmitted ? 'primary' : 'default'}
          loading={isBusy}
          onClick={() => void save(false)}
        >
          {base.isSubmitted ? '保存' : '存为草稿'}
        </ChangeButton>
        {!base.isSubmitted && (
          <ChangeButton changes={advId} type="primary" loading={isBusy} onClick={() => void save(true)}>
            提交
          </ChangeButton>
        )}
      </Flex>
    </>
  )
}

const openedProduct = (activity: ActivityDetail | null) =>
  activity?.product_id && activity.product_name !== null
    ? { id: activity.product_id, name: activity.product_name }
    : null

/** Ids of the place above the form, and of controls. */
const TOP = 'activity-problems'
const { name: NAME, plans: ADD, plan_name: PLAN_NAME } = CONTROLS

/** Focuses a control by its id once it is drawn, `first` at the beginning, and brings it in sight: the buttons stand far below. */
function useGoTo(first: string | null) {
  const [aim, setAim] = useState<{ id: string; isReplaced?: boolean } | null>(() =>
    first === null ? null : { id: first },
  )
  useEffect(() => {
    if (aim === null) return
    const control = document.getElementById(aim.id) ?? document.getElementById(TOP)
    control?.focus({ preventScroll: true })
    // What is typed replaces the name that was made up.
    if (aim.isReplaced && control instanceof HTMLInputElement) control.select()
    control?.scrollIntoView({ block: 'center' })
  }, [aim])
  return (id: string, how: { isReplaced?: boolean } = {}) => setAim({ id, ...how })
}

const problemsIn = (data: unknown): AnyOutcome[] =>
  typeof data === 'object' && data !== null && 'problems' in data ? (data.problems as AnyOutcome[]) : []
