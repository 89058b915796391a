import { CUSTOM_STATUS, type CustomChild } from './audience.ts'
import type { CustomCrowd } from './custom-crowd.ts'

/** Why an action on a row of the list is refused now, as a sentence; null when it is allowed. */
export interface Refusals {
  edit: string | null
  move: string | null
  push: string | null
  view: string | null
  delete: string | null
}

/**
 * A crowd or child can be edited while it is available or frozen, and no child of the crowd is being computed. A child
 * with a paused push does not count as being computed: it may wait days for a new authorisation.
 */
export function editRefusal(crowd: Pick<CustomCrowd, 'status' | 'audiences'>): string | null {
  if (crowd.status !== 'available' && crowd.status !== 'frozen') return `${CUSTOM_STATUS[crowd.status]}的人群不可编辑`
  const busy = crowd.audiences.find((child) => child.status === 'computing' && !child.push?.is_paused)
  return busy ? `子人群「${busy.adv_name}」正在计算中，不可编辑` : null
}

/** A push uses the version in force, which stays in force while a newer one is computed. */
function pushRefusal(crowd: CustomCrowd): string | null {
  if (crowd.cnt_type.length === 0) return '此数据类型没有可以推送的平台'
  if (crowd.user_count === null)
    return crowd.status === 'computing' ? '人群正在计算，完成后才能推送' : '计算失败的人群不可推送'
  return crowd.user_count === 0 ? '人群中没有有效的标识，不可推送' : null
}

export const crowdRefusals = (crowd: CustomCrowd): Refusals => ({
  edit: editRefusal(crowd),
  move: null,
  push: pushRefusal(crowd),
  view: '请展开后查看各平台账户的子人群',
  delete: crowd.audiences.length > 0 ? `在平台账户下还有 ${crowd.audiences.length} 个子人群，请先删除子人群` : null,
})

/** Editing a child edits its crowd, so the change reaches all children of the crowd. */
export function childRefusals(crowd: CustomCrowd, child: CustomChild): Refusals {
  const own =
    child.status !== 'available' && child.status !== 'frozen' ? `${CUSTOM_STATUS[child.status]}的人群不可编辑` : null
  return {
    edit: own ?? editRefusal(crowd),
    move: '子人群跟随所属的人群，请移动所属的人群',
    push: child.push !== null ? '正在推送中' : pushRefusal(crowd),
    view: null,
    delete: child.push !== null && !child.push.is_paused ? '正在推送中，请等待推送结束后再删除' : null,
  }
}

/** The size to show; a child that is being computed or has failed has none. */
export const childSize = (child: CustomChild): number | null =>
  child.status === 'computing' || child.status === 'failed' ? null : child.user_count

/** Whether a running computation or push will change the row. */
export const isUnderWay = (crowd: CustomCrowd): boolean =>
  crowd.status === 'computing' ||
  crowd.audiences.some((child) => child.status === 'computing' || (child.push !== null && !child.push.is_paused))
