import { z } from 'zod'
import { metricOf } from './activity/metrics.ts'
import { TREND_KEYS, type TrendKey } from './activity/trends.ts'
import { group, Path, timeRange } from './activity-fields.ts'
import { CommaIds, Id, PAGE_SIZE_MAX } from './common.ts'
import { endpoint } from './endpoint.ts'

const line = (key: TrendKey) =>
  z
    .array(z.number().nullable())
    .optional()
    .describe(`每天的${metricOf(key).label}，与 days 对应；没有数据时为 null，没有权限时没有此项`)

const Trend = z
  .object({
    campaign_id: Id.describe('活动 ID'),
    ...(Object.fromEntries(TREND_KEYS.map((key) => [key, line(key)])) as Record<TrendKey, ReturnType<typeof line>>),
  })
  .meta({ id: 'ActivityTrend', description: '一个活动的走势' })
export type ActivityTrend = z.output<typeof Trend>

export const listActivityTrends = endpoint({
  method: 'GET',
  path: Path('/trends'),
  group,
  summary: '活动在时间范围内每天的消耗、转化数与转化成本，供列表画走势',
  query: z.object({
    campaign_id: CommaIds.pipe(z.array(Id).min(1).max(PAGE_SIZE_MAX)).describe(
      `活动 ID，逗号分隔，1 到 ${PAGE_SIZE_MAX} 个`,
    ),
    time_range: timeRange,
  }),
  data: z.object({
    days: z.array(z.string()).describe('时间范围内的每一天，YYYY-MM-DD，最早的在前'),
    list: z.array(Trend).describe('活动，按请求里的顺序'),
  }),
})
