import { App, Flex, Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import type { PlanRow } from '#contract/activity-list.ts'
import { type PlanSync, retryPlan } from '#contract/activity-plan.ts'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { useAction } from '../../lib/query.ts'
import { isUnderWay, planSyncWords, troubleWords } from './plan-sync.ts'
import { AFTER_CHANGE } from './use-activity-actions.tsx'

/** How a plan stands with its platform: under way, refused, or different there. Nothing where all is the same. */
export function PlanSyncLine({
  sync,
  action,
}: {
  sync: PlanSync
  /** What can be done about it. */
  action?: ReactNode
}) {
  const words = planSyncWords(sync)
  if (words === '') return null
  return (
    <Flex gap={4} align="center" className={text.shrinks}>
      <WholeOnHover text={words}>
        <span role="status" className={`${text.cut} ${isUnderWay(sync) ? text.small : text.problem}`}>
          {words}
        </span>
      </WholeOnHover>
      {action}
    </Flex>
  )
}

/** Tells in the row of an activity which of its plans need somebody, with the reasons on hover and on focus. */
export function TroubledPlans({ plans }: { plans: readonly PlanRow[] }) {
  const { short, whole } = troubleWords(plans)
  if (short === '') return null
  return (
    <Tooltip title={whole.map((words) => <div key={words}>{words}</div>)} trigger={['hover', 'focus']}>
      <Tag color="error" tabIndex={0}>
        {short}
      </Tag>
    </Tooltip>
  )
}

/** Asks the platform again for what it refused of a plan. `owner`: the advertiser whose plan it is. */
export function RetryThere({ plan: { id, name, sync }, owner }: { plan: PlanRow; owner: number }) {
  const { message } = App.useApp()
  const retrying = useAction(retryPlan, AFTER_CHANGE)
  const retry = () =>
    retrying.mutateAsync({ body: { id } }).then(
      () => void message.info(sync.state === 'uncreated' ? `正在平台新建「${name}」` : `正在同步「${name}」`),
      () => undefined,
    )
  return (
    <RowAction changes={owner} loading={retrying.isPending} onClick={() => void retry()}>
      重试
    </RowAction>
  )
}
