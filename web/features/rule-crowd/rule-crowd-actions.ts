import { mayDelete, mayEdit, type RuleCrowd } from '#contract/rule-crowd.ts'
import { formatDay } from '../../lib/format.ts'

/** Why each action of a row is disabled; null if it is not. */
export function refusalsOf(people: RuleCrowd): Record<'edit' | 'compute' | 'push' | 'delete', string | null> {
  const busy = people.status === 'computing' || people.refreshing
  return {
    edit: mayEdit(people.status) ? null : '使用中的定向包不可编辑，可复制后修改',
    compute: busy ? '正在计算' : people.status === 'invalid' ? '已失效，请先编辑并延长失效时间' : null,
    push:
      people.status === 'invalid'
        ? '已失效，请先编辑并延长失效时间'
        : people.magnitude === null
          ? '还没有计算结果，完成后才能推送'
          : people.magnitude === 0
            ? '人群里没有人'
            : null,
    delete: mayDelete(people.status) ? null : '使用中的定向包不可删除，请先解绑或关闭计划',
  }
}

/** Whether the list is polled: one of its crowds is being computed. */
export const isComputing = (rows: readonly RuleCrowd[]): boolean =>
  rows.some((row) => row.status === 'computing' || row.refreshing)

/** Why a crowd cannot be used, and what to do; null if nothing is wrong. */
export function troubleOf({ status, failReason, invalidTime }: RuleCrowd): string | null {
  if (status === 'failed') return failReason ?? '计算失败，请重新计算'
  if (status === 'invalid') return `已过失效时间 ${formatDay(invalidTime)}，编辑并延长后可继续使用`
  return null
}
