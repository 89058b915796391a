import { mayDelete, mayEdit, type People } from '#contract/rule-crowd.ts'
import { formatDay } from '../../lib/format.ts'

/** Why a row's action is not open now, to be shown on hover; null when it is. */
export function refusalsOf(people: People): Record<'edit' | 'compute' | 'push' | 'delete', string | null> {
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

/** The list is asked for again while anything on it is being computed. */
export const isComputing = (rows: readonly People[]): boolean =>
  rows.some((row) => row.status === 'computing' || row.refreshing)

/** Why a crowd cannot be computed or used as it is, with what to do; null when nothing is wrong. */
export function troubleOf({ status, failReason, invalidTime }: People): string | null {
  if (status === 'failed') return failReason ?? '计算失败，请重新计算'
  if (status === 'invalid') return `已过失效时间 ${formatDay(invalidTime)}，编辑并延长后可继续使用`
  return null
}
