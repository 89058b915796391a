import { Alert, DatePicker, Flex, Form, Input, Segmented, Select, Switch } from 'antd'
import dayjs from 'dayjs'
import { useMemo } from 'react'
import { BUDGET_MODES, type BudgetMode, budgetNotice, budgetRules } from '#contract/activity/budget.ts'
import type { PlanSync, SettledPlan } from '#contract/activity-plan.ts'
import { sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { isAudienceCode, PLATFORM_CODES, type PlatformCode, platformInfo } from '#contract/platform.ts'
import text from '../../../components/text.module.css'
import { AccountSelect } from '../../../domain/advertiser/AccountSelect.tsx'
import { useIsUsable, useUsableAccounts } from '../../../domain/advertiser/use-usable-accounts.ts'
import { embedding } from '../../../lib/embedding.ts'
import { paths } from '../../../lib/paths.ts'
import { PlanSyncLine } from '../PlanSyncLine.tsx'
import { CrowdsField } from './CrowdsField.tsx'
import { onAccount, onPlatform, type PlanDraft } from './draft.ts'
import { faultItem } from './fault-item.tsx'
import type { PlanField } from './faults.ts'
import { HoursField } from './HoursField.tsx'
import { PackageField } from './PackageField.tsx'
import { SettleThere } from './SettleThere.tsx'
import { ThereField } from './ThereField.tsx'
import { WayOn } from './WayOn.tsx'
import styles from './workbench.module.css'
import { YuanInput } from './YuanInput.tsx'

const DAY = 'YYYY-MM-DD'
/** Where accounts are authorised. */
const AUTHORISING = '基础管理 / 广告主授权'

interface Props {
  advId: number
  plan: PlanDraft
  /** How the stored plan stands with its platform now; null for one that was not saved yet. */
  sync: PlanSync | null
  /** A plan of a submitted activity stays where it is. */
  isAccountFixed: boolean
  readOnly: boolean
  /** What is wrong with a field. */
  faultAt: (field: PlanField) => AnyOutcome | null
  onChange: (next: (plan: PlanDraft) => PlanDraft) => void
  onSettled: (plan: SettledPlan) => void
}

/** What one plan is. */
export function PlanForm({ advId, plan, sync, isAccountFixed, readOnly, faultAt, onChange, onSettled }: Props) {
  const set = (part: Partial<PlanDraft>) => onChange((now) => ({ ...now, ...part }))
  const takesCrowds = isAudienceCode(plan.platform)
  return (
    <Form layout="vertical" component="div" disabled={readOnly}>
      <div className={styles.sync}>
        {sync && (
          <PlanSyncLine
            sync={sync}
            action={
              sync.can_settle &&
              plan.id !== undefined &&
              !embedding() && <SettleThere planId={plan.id} owner={advId} onSettled={onSettled} />
            }
          />
        )}
      </div>
      <Flex gap={16} wrap>
        <Form.Item label="计划名称" htmlFor="plan-name" className={styles.field} {...faultItem(faultAt('plan_name'))}>
          <Input
            id="plan-name"
            value={plan.name}
            maxLength={60}
            placeholder="1 到 30 个字符"
            count={{ show: true, max: 30 }}
            onChange={({ target }) => set({ name: target.value })}
          />
        </Form.Item>
        <Form.Item label="计划开关" htmlFor="plan-open" className={styles.field}>
          <Flex gap={8} align="center">
            <Switch
              id="plan-open"
              aria-label="计划开关"
              checked={plan.is_open === 1}
              onChange={(on) => set({ is_open: on ? 1 : 0 })}
            />
            <span className={text.hint}>
              {plan.is_open === 1
                ? '活动启用时，这个计划一起启用；新活动提交后是暂停的，在活动列表启用'
                : '活动启用时，这个计划不启用'}
            </span>
          </Flex>
        </Form.Item>
      </Flex>
      <Form.Item label="平台" htmlFor="plan-platform">
        <Segmented<PlatformCode>
          aria-label="平台"
          disabled={readOnly || isAccountFixed}
          value={plan.platform}
          onChange={(platform) => onChange((now) => onPlatform(now, platform))}
          options={PLATFORM_CODES.map((value) => ({ value, label: platformInfo(value).name }))}
        />
      </Form.Item>
      <Flex gap={16} wrap>
        <Form.Item
          label="投放账户"
          htmlFor="plan-account"
          className={styles.field}
          extra={isAccountFixed && '活动提交后，计划的平台与账户不能修改'}
          {...faultItem(faultAt('account'))}
        >
          {isAccountFixed || readOnly ? (
            <Input id="plan-account" disabled value={plan.account?.name ?? ''} />
          ) : (
            <Account key={plan.platform} advId={advId} plan={plan} onChange={onChange} />
          )}
          {plan.account && !readOnly && <Authorisation platform={plan.platform} account={plan.account} />}
        </Form.Item>
      </Flex>
      <ThereField advId={advId} plan={plan} readOnly={readOnly} faultAt={faultAt} onChange={set} />
      <Form.Item label="定向包" htmlFor="plan-package" {...faultItem(faultAt('target'))}>
        <PackageField
          id="plan-package"
          advId={advId}
          platform={plan.platform}
          account={plan.account}
          readOnly={readOnly}
          value={plan.package_id === null ? null : { id: plan.package_id, name: plan.package_name ?? '' }}
          onChange={(chosen) => set({ package_id: chosen?.id ?? null, package_name: chosen?.name ?? null })}
        />
      </Form.Item>
      {takesCrowds ? (
        <Flex gap={16} wrap>
          {(['include', 'exclude'] as const).map((role) => (
            <Form.Item
              key={role}
              label={role === 'include' ? '定向人群' : '排除人群'}
              htmlFor={`plan-${role}`}
              className={styles.field}
              {...(role === 'include' && faultItem(faultAt('crowds')))}
            >
              <CrowdsField
                id={`plan-${role}`}
                advId={advId}
                platform={plan.platform}
                account={plan.account}
                role={role}
                readOnly={readOnly}
                value={plan.crowds}
                onChange={(crowds) => set({ crowds })}
              />
            </Form.Item>
          ))}
        </Flex>
      ) : (
        <p className={`${text.hint} ${styles.aside}`}>
          {platformInfo(plan.platform).name}的计划不使用自定义人群，请用定向包。
        </p>
      )}
      <Budget plan={plan} readOnly={readOnly} fault={faultAt('budget')} onChange={set} />
      <Flex gap={16} wrap>
        <Form.Item label="开始日期" htmlFor="plan-start" className={styles.field} {...faultItem(faultAt('start'))}>
          <DayField id="plan-start" value={plan.start_date} onChange={(start_date) => set({ start_date })} />
        </Form.Item>
        <Form.Item
          label="结束日期"
          htmlFor="plan-end"
          className={styles.field}
          extra={plan.end_date === null && '长期投放'}
          {...faultItem(faultAt('end'))}
        >
          <DayField
            id="plan-end"
            placeholder="不选则长期"
            value={plan.end_date}
            onChange={(end_date) => set({ end_date })}
          />
        </Form.Item>
      </Flex>
      <Form.Item label="投放时段" {...faultItem(faultAt('hours'))}>
        <HoursField id="plan-hours" readOnly={readOnly} value={plan.hours} onChange={(hours) => set({ hours })} />
      </Form.Item>
    </Form>
  )
}

function DayField(props: {
  id: string
  placeholder?: string
  value: string | null
  onChange: (day: string | null) => void
}) {
  const { id, placeholder, value, onChange } = props
  // With another object of the same day antd drops what is being typed.
  const day = useMemo(() => (value === null ? null : dayjs(value)), [value])
  return (
    <DatePicker
      id={id}
      className={styles.whole}
      {...(placeholder !== undefined && { placeholder })}
      value={day}
      onChange={(chosen) => onChange(chosen ? chosen.format(DAY) : null)}
    />
  )
}

function Account({ advId, plan, onChange }: Pick<Props, 'advId' | 'plan' | 'onChange'>) {
  const accounts = useUsableAccounts(plan.platform, advId)
  const { name } = platformInfo(plan.platform)
  return (
    <>
      <AccountSelect
        id="plan-account"
        accounts={accounts}
        placeholder="请选择投放账户"
        value={plan.account as never}
        onChange={(account) =>
          onChange((now) => (account?.id === now.account_id ? now : onAccount(now, account as never)))
        }
      />
      {plan.account === null && accounts.usable.length === 0 && !accounts.isPending && !accounts.error && (
        <WayOn
          missing={`${name}没有已授权的账户，授权后就能在这里选择。`}
          ways={[{ label: '去授权', to: paths.advertiserData({ adv_id: advId, platform: plan.platform }) }]}
          place={AUTHORISING}
        />
      )}
    </>
  )
}

/** Says that a plan's account cannot be used now; it need not be among the accounts that are offered. */
function Authorisation({
  platform,
  account,
}: Pick<PlanDraft, 'platform'> & { account: NonNullable<PlanDraft['account']> }) {
  const isUsable = useIsUsable(platform, account)
  if (isUsable !== false) return null
  return (
    <WayOn
      missing="这个账户现在没有授权。计划可以保存，授权后才能与平台同步。"
      ways={[{ label: '去授权', to: paths.advertiserData({ account_id: account.id }) }]}
      place={AUTHORISING}
    />
  )
}

function Budget(props: {
  plan: PlanDraft
  readOnly: boolean
  fault: AnyOutcome | null
  onChange: (part: Partial<PlanDraft>) => void
}) {
  const { plan, readOnly, fault, onChange } = props
  const { modes } = budgetRules(plan.platform)
  const notice = budgetNotice(plan)
  return (
    <Form.Item label="预算" htmlFor="plan-budget" {...faultItem(fault)}>
      <Flex gap={8} wrap align="center">
        <Select<BudgetMode>
          aria-label="预算方式"
          className={styles.mode}
          value={plan.budget_mode}
          onChange={(budget_mode) => onChange({ budget_mode })}
          options={modes.map((value) => ({ value, label: BUDGET_MODES[value] }))}
        />
        {plan.budget_mode !== 'none' && (
          <YuanInput
            id="plan-budget"
            isHidden={plan.hides_amounts ?? false}
            disabled={readOnly}
            placeholder="请输入预算"
            value={plan.budget}
            onChange={(budget) => onChange({ budget })}
          />
        )}
      </Flex>
      {notice && <Alert type="warning" showIcon title={sentenceOf(notice)} className={styles.notice} />}
    </Form.Item>
  )
}
