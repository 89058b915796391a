import { z } from 'zod'
import { campaignId, group, Path, status, timeRange } from './activity-fields.ts'
import { MetricValues } from './activity-metrics.ts'
import { endpoint } from './endpoint.ts'

/** The most days of a day report. */
export const REPORT_DAYS_MAX = 366

export const getDayReport = endpoint({
  method: 'GET',
  path: Path('/day_report'),
  group,
  summary: `一个活动每天的指标与合计，最多 ${REPORT_DAYS_MAX} 天`,
  query: z.object({ campaign_id: campaignId, time_range: timeRange }),
  data: z.object({
    name: z.string().describe('活动名称'),
    status,
    local_plans: z.int().describe('仅本地的计划数：没有关联平台计划，也不在平台新建，因而没有平台数据'),
    plans: z.int().describe('计划数'),
    list: z
      .array(z.object({ date: z.string().describe('日期，YYYY-MM-DD') }).extend(MetricValues.shape))
      .describe('时间范围内的每一天，最早的在前'),
    sums: MetricValues.describe('合计；比率与成本由合计计算'),
  }),
})
