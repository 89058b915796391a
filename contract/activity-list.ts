import { z } from 'zod'
import { COMPARED_MAX } from './activity/compare.ts'
import { ACTIVITY_STATUS, PLAN_TYPES } from './activity/status.ts'
import { ActivityStatus, group, OnOff, Path, PlanType, status, timeRange } from './activity-fields.ts'
import { MetricValues } from './activity-metrics.ts'
import { PlanSync } from './activity-plan.ts'
import {
  CommaIds,
  CommaList,
  Id,
  IdParam,
  meaningsOf,
  PAGE_SIZE,
  PAGE_SIZE_MAX,
  PageQuery,
  Seconds,
  SoughtIds,
} from './common.ts'
import { endpoint } from './endpoint.ts'
import { PlatformCode } from './platform.ts'

/** The page sizes that the list offers. */
export const ACTIVITY_PAGE_SIZES = [10, 20, 50, 100] as const

const Creator = z
  .object({ id: Id.describe('创建人 ID'), realname: z.string().describe('创建人姓名') })
  .nullable()
  .describe('创建人；没有权限看到时为 null')

const RowFields = z.object({
  id: Id.describe('活动或计划的 ID；与 campaign_mold 一起才唯一'),
  campaign_mold: PlanType.describe('1 活动，2 计划'),
  campaign_id: Id.describe('活动的 ID；计划为其所属的活动'),
  name: z.string().describe('名称'),
  status,
  plan_status_name: z.string().describe('状态的名称'),
  is_open: OnOff.describe('开关：1 开，0 关；计划的是它自己的，活动关闭时不投放'),
  type: PlanType.nullable().describe(`计划的类型：${meaningsOf(PLAN_TYPES)}；活动为 null`),
})

const PlanRow = RowFields.extend({
  sync: PlanSync,
  platform: PlatformCode,
  account_id: Id.nullable().describe('计划的平台账户 ID；还没有选择时为 null'),
  account_name: z.string().nullable().describe('平台账户的名称；还没有选择时为 null'),
  plan_id: z.string().nullable().describe('平台上计划的编号；没有关联时为 null'),
  is_local: z.boolean().describe('仅本地：没有关联平台上的计划，也不在平台新建，没有平台数据'),
})
  .extend(MetricValues.shape)
  .meta({ id: 'ActivityPlanRow', description: '活动列表中的计划' })
export type PlanRow = z.output<typeof PlanRow>

const ActivityRow = RowFields.extend({
  auto_sync: OnOff.describe('1 每天同步平台数据，0 只在要求时'),
  advertiser_id: Id.describe('所属广告主 ID'),
  advertiser_name: z.string().nullable().describe('所属广告主名称；没有权限看到时为 null'),
  product_id: Id.nullable().describe('产品 ID；没有时为 null'),
  product_name: z.string().nullable().describe('产品名称；没有或没有权限看到时为 null'),
  creator: Creator,
  created_at: Seconds.nullable().describe('创建时间，时间戳（秒）；没有权限看到时为 null'),
  children: z.array(PlanRow).describe('活动的计划'),
})
  .extend(MetricValues.shape)
  .meta({ id: 'ActivityRow', description: '活动列表中的活动' })
export type ActivityRow = z.output<typeof ActivityRow>

/** Filters of the list, which its totals share. */
const Filters = z.object({
  name: z.string().max(100).optional().describe('活动或计划的名称包含这段文字'),
  create_by: CommaIds.optional().describe('创建人 ID，逗号分隔，任一即可；无权查看创建人时不起作用'),
  creator: z
    .string()
    .max(100)
    .optional()
    .describe('创建人的姓名（没有姓名的为用户名）包含这段文字（RPS 方式的筛选）；无权查看创建人时不起作用'),
  status: CommaList.pipe(z.array(z.string().transform(Number).pipe(ActivityStatus)))
    .optional()
    .describe(`活动的状态，逗号分隔，任一即可：${meaningsOf(ACTIVITY_STATUS)}`),
  id: SoughtIds.optional().describe('活动 ID，逗号分隔，任一即可；不存在的找不到活动'),
  adv_id: IdParam.optional().describe('只列这个广告主的活动'),
  time_range: timeRange,
})

export const listActivities = endpoint({
  method: 'GET',
  path: Path('/list'),
  group,
  summary: '活动列表：每个活动与其计划及指标；按活动分页',
  query: Filters.extend({
    page: PageQuery.shape.page,
    per_page: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE).describe('每页活动数，1 到 500'),
    sort: z
      .enum(['created_at:asc', 'created_at:desc'])
      .default('created_at:desc')
      .describe('排序：created_at:asc 按创建时间升序，created_at:desc 降序'),
  }),
  data: z.object({
    list: z.array(ActivityRow).describe('本页的活动'),
    total: z.int().describe('符合条件的活动总数'),
    is_reading: z.boolean().describe('正在重新读取平台上的计划：稍后再次请求可得到新的状态'),
  }),
})

export const totalActivities = endpoint({
  method: 'GET',
  path: Path('/total'),
  group,
  summary: '符合条件的全部活动的合计，不只是一页；条件与列表相同',
  query: Filters,
  data: z.object({
    total: z.int().describe('活动数'),
    plans: z.int().describe('计划数'),
    sums: MetricValues.describe('合计；比率与成本由合计计算'),
  }),
})

export const compareActivities = endpoint({
  method: 'GET',
  path: Path('/compare'),
  group,
  summary: `对比活动的指标，1 到 ${COMPARED_MAX} 个`,
  query: z.object({
    id: CommaIds.default([]).describe(`活动 ID，逗号分隔，1 到 ${COMPARED_MAX} 个`),
    time_range: timeRange,
  }),
  data: z.object({
    list: z
      .array(
        z
          .object({ id: Id.describe('活动 ID'), name: z.string().describe('活动名称'), status })
          .extend(MetricValues.shape),
      )
      .describe('活动，按请求里的顺序'),
  }),
})
