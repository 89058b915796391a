import { App, Flex } from 'antd'
import { type SettledPlan, settlePlan } from '#contract/activity-plan.ts'
import { RowAction } from '../../../components/RowAction.tsx'
import { useAction } from '../../../lib/query.ts'
import { AFTER_CHANGE } from '../use-activity-actions.tsx'

interface Props {
  planId: number
  /** The advertiser whose plan it is. */
  owner: number
  /** Hears what the plan is then, with the activity's `ver`. */
  onSettled: (plan: SettledPlan) => void
}

/** Decides whose name and days a plan has that was changed on its platform. */
export function SettleThere({ planId, owner, onSettled }: Props) {
  const { message } = App.useApp()
  const settling = useAction(settlePlan, AFTER_CHANGE)
  const settle = (keep: 'platform' | 'ours') =>
    settling.mutateAsync({ body: { id: planId, keep } }).then(
      (plan) => {
        message.success(keep === 'platform' ? '已采用平台上的名称与日期' : '正在用这里的名称与日期覆盖平台')
        onSettled(plan)
      },
      () => undefined,
    )
  return (
    <Flex gap={8} flex="none">
      <RowAction
        changes={owner}
        hint="把平台上的名称与日期存到这里"
        loading={settling.isPending}
        onClick={() => void settle('platform')}
      >
        采用平台
      </RowAction>
      <RowAction
        changes={owner}
        hint="用这里已保存的名称与日期覆盖平台"
        loading={settling.isPending}
        onClick={() => void settle('ours')}
      >
        覆盖平台
      </RowAction>
    </Flex>
  )
}
