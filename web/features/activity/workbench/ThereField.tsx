import { useQuery } from '@tanstack/react-query'
import { Form, Input, Radio } from 'antd'
import { newCreation } from '#contract/activity/creation.ts'
import { listPlanPlatforms } from '#contract/activity-plan.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { RowAction } from '../../../components/RowAction.tsx'
import text from '../../../components/text.module.css'
import { embedding } from '../../../lib/embedding.ts'
import { queryOf } from '../../../lib/query.ts'
import { CreationFields } from './CreationFields.tsx'
import type { PlanDraft } from './draft.ts'
import { faultItem } from './fault-item.tsx'
import type { PlanField } from './faults.ts'
import { LinkField } from './LinkField.tsx'
import { OperatorField } from './OperatorField.tsx'
import styles from './workbench.module.css'

const FOREVER_MS = Number.POSITIVE_INFINITY

interface Props {
  advId: number
  plan: PlanDraft
  readOnly: boolean
  faultAt: (field: PlanField) => AnyOutcome | null
  onChange: (part: Partial<PlanDraft>) => void
}

/** What a plan is on its platform: created there, one that exists, or only kept here. */
export function ThereField({ advId, plan, readOnly, faultAt, onChange }: Props) {
  const platforms = useQuery({ ...queryOf(listPlanPlatforms), staleTime: FOREVER_MS, meta: { silent: 'optional' } })
  const { creation, account_id } = plan
  const offered = newCreation(plan.platform)
  const creates = platforms.data?.list.some(({ platform, creates: can }) => platform === plan.platform && can) ?? false
  const isCreated = creation !== null && plan.plan_id !== null
  const keepsOperator = !readOnly && !embedding()
  const asksOperator =
    plan.platform === PLATFORMS.social.code && account_id !== null && (creation !== null || plan.plan_id !== null)
  return (
    <>
      {platforms.isError && (
        <p className={text.problem}>
          能否在平台新建计划没有读到 <RowAction onClick={() => void platforms.refetch()}>重试</RowAction>
        </p>
      )}
      {((creates && offered !== null) || creation !== null) && (
        <Form.Item label="平台上的计划" htmlFor="plan-there" {...faultItem(faultAt('creation'))}>
          <Radio.Group
            id="plan-there"
            aria-label="平台上的计划"
            optionType="button"
            disabled={readOnly || isCreated}
            value={creation === null ? 'link' : 'create'}
            onChange={({ target }) => onChange({ creation: target.value === 'create' ? offered : null, plan_id: null })}
            options={[
              { value: 'link', label: '关联已有计划' },
              { value: 'create', label: '在平台新建' },
            ]}
          />
        </Form.Item>
      )}
      {creation === null ? (
        <Form.Item
          label="平台计划 ID"
          htmlFor="plan-link"
          className={styles.field}
          extra={
            plan.plan_id === null
              ? '不填则仅本地：只保存在这里，没有平台数据'
              : '平台报表中这个计划的数据会显示在这里；之后修改的开关、预算、名称、日期、时段与定向会同步到平台'
          }
          {...faultItem(faultAt('link'))}
        >
          <LinkField
            id="plan-link"
            advId={advId}
            accountId={account_id}
            value={plan.plan_id}
            readOnly={readOnly}
            onChange={(plan_id) => onChange({ plan_id })}
          />
        </Form.Item>
      ) : (
        <>
          {isCreated && (
            <Form.Item label="平台计划 ID" htmlFor="plan-link" className={styles.field}>
              <Input id="plan-link" value={plan.plan_id ?? ''} disabled />
            </Form.Item>
          )}
          <CreationFields
            creation={creation}
            isFixed={isCreated || readOnly}
            hidesBid={plan.hides_amounts ?? false}
            faultAt={faultAt}
            onChange={(next) => onChange({ creation: next })}
          />
        </>
      )}
      {asksOperator && keepsOperator && (
        <Form.Item
          label="操作人的实名令牌"
          htmlFor="plan-operator"
          extra="腾讯广告的计划改动需要它，按账户保存，只写不读；到期后请重新填写"
          {...faultItem(faultAt('operator'))}
        >
          <OperatorField
            key={account_id}
            id="plan-operator"
            accountId={account_id}
            isSaved={plan.operator_saved ?? false}
            onSaved={() => onChange({ operator_saved: true })}
          />
        </Form.Item>
      )}
      {!keepsOperator && faultAt('operator') && (
        <Form.Item id="plan-operator" extra="请在控制台的活动编辑页填写" {...faultItem(faultAt('operator'))} />
      )}
    </>
  )
}
