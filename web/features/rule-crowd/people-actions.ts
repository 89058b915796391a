import { mayDelete, mayEdit, type People } from '#contract/rule-crowd.ts'

/** Why a row's action is not open now, to be shown on hover; null when it is. */
export function refusalsOf(people: People): Record<'edit' | 'compute' | 'delete', string | null> {
  const busy = people.status === 'computing' || people.refreshing
  return {
    edit: mayEdit(people.status) ? null : '使用中的定向包不可编辑，可复制后修改',
    compute: busy ? '正在计算' : people.status === 'invalid' ? '已失效，请先编辑并延长失效时间' : null,
    delete: mayDelete(people.status) ? null : '使用中的定向包不可删除，请先解绑或关闭计划',
  }
}

/** The list is asked for again while anything on it is being computed. */
export const isComputing = (rows: readonly People[]): boolean =>
  rows.some((row) => row.status === 'computing' || row.refreshing)
