import type { Outcome } from '#contract/outcome.ts'
import { outcome } from '#contract/outcomes/make.ts'
import { mayDelete, mayEdit, type RuleCrowd } from '#contract/rule-crowd.ts'
import { formatDay } from '../../lib/format.ts'

/** Why each action of a row is disabled; null if it is not. */
export function refusalsOf(ruleCrowd: RuleCrowd): Record<'edit' | 'compute' | 'push' | 'delete', Outcome | null> {
  const { status, magnitude } = ruleCrowd
  const expired = status === 'invalid' ? outcome('rule_crowd_expired') : null
  const uncounted = magnitude === null ? outcome('source_not_computed') : null
  return {
    edit: mayEdit(status) ? null : outcome('rule_crowd_in_use_not_editable'),
    compute: status === 'computing' || ruleCrowd.refreshing ? outcome('rule_crowd_computing') : expired,
    push: expired ?? uncounted ?? (magnitude === 0 ? outcome('source_without_people') : null),
    delete: mayDelete(status) ? null : outcome('rule_crowd_in_use_not_deletable'),
  }
}

/** Whether the list is polled: one of its crowds is being computed. */
export const isComputing = (rows: readonly RuleCrowd[]): boolean =>
  rows.some((row) => row.status === 'computing' || row.refreshing)

/** Why a crowd cannot be used, and what to do; null if nothing is wrong. */
export function problemOf({ status, failReason, invalidTime }: RuleCrowd): string | null {
  if (status === 'failed') return failReason ?? '计算失败，请重新计算'
  if (status === 'invalid') return `已过失效时间 ${formatDay(invalidTime)}，编辑并延长后可继续使用`
  return null
}
