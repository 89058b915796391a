import { PLATFORMS, type PlatformCode } from '../platform.ts'

/** Statuses of an activity with their labels. */
export const ACTIVITY_STATUS = { '0': '未提交', '1': '启用', '2': '暂停', '3': '结束' } as const
/** The same four numbers are the statuses of a plan. */
export type ActivityStatus = 0 | 1 | 2 | 3

/** Plans of type 1 are the social platform's; type 2 are those of the video engine and the commerce platform. */
export const PLAN_TYPES = { '1': '腾讯广告', '2': '巨量引擎与巨量千川' } as const
export type PlanType = 1 | 2
export const planTypeOf = (platform: PlatformCode): PlanType => (platform === PLATFORMS.social.code ? 1 : 2)

/** Names of a plan's statuses, by its type. */
const PLAN_STATUS = {
  '1': { '0': '未审核', '1': '开启', '2': '暂停', '3': '停止' },
  '2': ACTIVITY_STATUS,
} as const
/** `isThere`: its platform says so. A plan of status 0 that it has is no draft but waits for its review. */
export const planStatusName = (type: PlanType, status: ActivityStatus, isThere = false): string =>
  type === 2 && status === 0 && isThere ? '审核中' : PLAN_STATUS[type][status]

export type Switch = 0 | 1

/** The last day on which a plan may deliver; null where it has none. Days are YYYY-MM-DD. */
interface Ending {
  end_date: string | null
}
interface Activity {
  is_submitted: boolean
  is_open: Switch
}

export const hasEnded = ({ end_date }: Ending, today: string): boolean => end_date !== null && end_date < today

/** The day after which nothing of an activity delivers: the last of its plans' days, null where one has none. */
export function lastDayOf(plans: readonly Ending[]): string | null {
  const days = plans.map(({ end_date }) => end_date)
  if (days.length === 0 || days.includes(null)) return null
  return days.reduce((last, day) => (last !== null && day !== null && day > last ? day : last))
}

/** An activity's status; it has ended once the days of all of its plans are over. */
export function activityStatus(activity: Activity, last_day: string | null, today: string): ActivityStatus {
  if (!activity.is_submitted) return 0
  if (last_day !== null && last_day < today) return 3
  return activity.is_open === 1 ? 1 : 2
}

/** A plan is enabled while its own switch and that of its activity are on. */
export function planStatus(activity: Activity, plan: Ending & { is_open: Switch }, today: string): ActivityStatus {
  if (!activity.is_submitted) return 0
  if (hasEnded(plan, today)) return 3
  return activity.is_open === 1 && plan.is_open === 1 ? 1 : 2
}
