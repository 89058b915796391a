import { z } from 'zod'
import { ACTIVITY_STATUS } from './activity/status.ts'
import { DayRange, IdParam, meaningsOf } from './common.ts'

export const group = '营销活动'
/** The path of a call about activities. */
export const Path = <const P extends string>(path: P) => `/api/campaign${path}` as const

/** A switch: 1 on, 0 off. */
export const OnOff = z.union([z.literal(0), z.literal(1)])
export const ActivityStatus = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
export const status = ActivityStatus.describe(`状态：${meaningsOf(ACTIVITY_STATUS)}`)
export const PlanType = z.union([z.literal(1), z.literal(2)])
export const campaignId = IdParam.describe('活动 ID')

/** The days of metrics. */
export const timeRange = DayRange.optional().describe(
  '指标的时间范围：两个时间戳（秒），逗号相连，含两端所在的整天，例如 `1763654400,1763740799`；不填则为最近 30 天。不影响列出哪些活动',
)
