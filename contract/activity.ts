import { z } from 'zod'
import { BUDGET_MAX, BUDGET_MODE_KEYS, BUDGET_MODES } from './activity/budget.ts'
import { VALUE_KEYS, type ValueKey } from './activity/columns.ts'
import { COMPARED_MAX } from './activity/compare.ts'
import { METRIC_KEYS, metricOf } from './activity/metrics.ts'
import { CROWD_ROLES, PLAN_CROWDS_MAX, PLANS_MAX } from './activity/plan.ts'
import { HOURS_PATTERN, isDay, WEEK_SLOTS } from './activity/schedule.ts'
import { ACTIVITY_STATUS, PLAN_TYPES } from './activity/status.ts'
import {
  CommaIds,
  CommaList,
  Id,
  IdParam,
  itemName,
  keysOf,
  meaningsOf,
  Nothing,
  PAGE_SIZE,
  PAGE_SIZE_MAX,
  PageQuery,
  Seconds,
  SecondsRange,
} from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { PlanCreation } from './plan-creation.ts'
import { PlatformCode } from './platform.ts'

const group = '营销活动'
const Path = <const P extends string>(path: P) => `/api/campaign${path}` as const

/** The page sizes that the list offers. */
export const ACTIVITY_PAGE_SIZES = [10, 20, 50, 100] as const
/** The most days of a day report. */
export const REPORT_DAYS_MAX = 366
/** The most products, and the most saved assets, of an advertiser. */
export const PRODUCTS_MAX = 500
export const ACTIVITY_ASSETS_MAX = 200

export const ActivityName = itemName('请输入活动名称')
export const PlanName = itemName('请输入计划名称')
export const ProductName = itemName('请输入产品名称')
export const AssetName = itemName('请输入资产名称')

const OnOff = z.union([z.literal(0), z.literal(1)])
const ActivityStatus = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
const status = ActivityStatus.describe(`状态：${meaningsOf(ACTIVITY_STATUS)}`)
const PlanType = z.union([z.literal(1), z.literal(2)])
const Day = z.string().refine(isDay, '日期应为 YYYY-MM-DD')
const Hours = z.string().regex(HOURS_PATTERN, `投放时段应为 ${WEEK_SLOTS} 位 0 或 1`)
const Role = z.enum(keysOf(CROWD_ROLES)).describe(meaningsOf(CROWD_ROLES))
const PlanId = z
  .string()
  .trim()
  .min(1, '请输入平台计划 ID')
  .max(64, '平台计划 ID 最多 64 个字符')
  .regex(/^[\x21-\x7e]*$/, '平台计划 ID 不能有空格与中文')

// Reports.

const valueWords = (key: ValueKey) => {
  const { label, tip, format } = metricOf(key)
  // The tips of amounts speak of yuan, as the screens do.
  const more = format === 'money' ? '，单位分' : tip ? `（${tip}）` : ''
  return `${label}${more}；没有来源时为 null，没有权限时没有此项`
}
/** A metric's values; what the viewer may not see is missing. */
const MetricValues = z
  .object(
    Object.fromEntries(
      VALUE_KEYS.map((key) => [key, z.number().nullable().optional().describe(valueWords(key))]),
    ) as Record<ValueKey, z.ZodOptional<z.ZodNullable<z.ZodNumber>>>,
  )
  .extend({
    budget_total: z
      .number()
      .nullable()
      .optional()
      .describe('budget 中的总预算，单位分，其余为日预算；没有总预算时为 null，没有权限时没有此项'),
  })
  .meta({ id: 'MetricValues', description: '指标的值；没有权限看到的没有此项' })
export type MetricValues = z.output<typeof MetricValues>

const timeRange = SecondsRange.optional().describe(
  '指标的时间范围：两个时间戳（秒），逗号相连，含两端所在的整天，例如 `1763654400,1763740799`；不填则为最近 30 天。不影响列出哪些活动',
)

export const Column = z.object({
  key: z.enum(METRIC_KEYS).describe('列'),
  label: z.string().describe('列的名称'),
  width: z.int().describe('宽度，像素'),
  tooltip: z.string().describe('列的说明与来源'),
  format: z
    .enum(['text', 'time', 'count', 'number', 'money', 'percent', 'ratio'])
    .describe('格式：text 文字，time 时间，count 与 number 数，money 金额（分），percent 百分比，ratio 比值'),
  from: z
    .array(z.enum(['ours', 'events', 'platform', 'formula']))
    .describe('来源：ours 活动自身，events 自有事件，platform 平台报表，formula 由其他列计算；多个时以在前的为准'),
  adds: z.boolean().describe('各行能否相加'),
  restricted: z.boolean().describe('是否只有能看到受限指标的成员才有'),
})
export type Column = z.output<typeof Column>

export const getColumns = endpoint({
  method: 'GET',
  path: Path('/columns'),
  group,
  summary: '活动列表的列：查看者能看到的全部列，以及所选的列与顺序',
  data: z.object({
    columns: z.array(Column).describe('可选的列'),
    chosen: z.array(z.enum(METRIC_KEYS)).describe('显示的列，按显示的顺序'),
  }),
})

export const chooseColumns = endpoint({
  method: 'PUT',
  path: Path('/columns'),
  group,
  summary: '选择活动列表显示的列与顺序，只对自己生效；空列表恢复默认',
  body: z.object({
    keys: z
      .array(z.enum(METRIC_KEYS))
      .max(METRIC_KEYS.length)
      .transform((keys) => [...new Set(keys)])
      .describe('列，按显示的顺序'),
  }),
  readers: true,
  data: z.object({ chosen: z.array(z.enum(METRIC_KEYS)).describe('显示的列，按显示的顺序') }),
})

// Rows.

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

const PlanSync = z
  .object({
    state: z
      .enum(['local', 'creating', 'uncreated', 'syncing', 'synced', 'failed'])
      .describe(
        '与平台的同步：local 仅本地或尚未提交，creating 正在平台新建，uncreated 新建失败，syncing 同步中，synced 已同步，failed 平台没有接受',
      ),
    reason: AnyOutcome.nullable().describe('平台没有接受或还没有答复的原因'),
    told: z.array(AnyOutcome).describe('平台上的计划与这里不同的地方'),
    read_at: Seconds.nullable().describe('最近一次读取平台的时间，时间戳（秒）；没有读过时为 null'),
    can_retry: z.boolean().describe('能否用 plan/retry 再次请求平台'),
  })
  .meta({ id: 'PlanSync', description: '计划与平台的同步' })
export type PlanSync = z.output<typeof PlanSync>

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
  create_by: CommaIds.optional().describe('创建人 ID，逗号分隔，任一即可'),
  creator: z.string().max(100).optional().describe('创建人的姓名或用户名包含这段文字（RPS 方式的筛选）'),
  status: CommaList.pipe(z.array(z.string().transform(Number).pipe(ActivityStatus)))
    .optional()
    .describe(`活动的状态，逗号分隔，任一即可：${meaningsOf(ACTIVITY_STATUS)}`),
  id: CommaIds.optional().describe('活动 ID，逗号分隔，任一即可'),
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

const campaignId = IdParam.describe('活动 ID')

export const getDayReport = endpoint({
  method: 'GET',
  path: Path('/day_report'),
  group,
  summary: `一个活动每天的指标与合计，最多 ${REPORT_DAYS_MAX} 天`,
  query: z.object({ campaign_id: campaignId, time_range: timeRange }),
  data: z.object({
    name: z.string().describe('活动名称'),
    status,
    local_plans: z.int().describe('没有关联平台计划、因而没有平台数据的计划数'),
    plans: z.int().describe('计划数'),
    list: z
      .array(z.object({ date: z.string().describe('日期，YYYY-MM-DD') }).extend(MetricValues.shape))
      .describe('时间范围内的每一天，最早的在前'),
    sums: MetricValues.describe('合计；比率与成本由合计计算'),
  }),
})

// One activity.

const SavedPlan = z.object({
  id: Id.optional().describe('计划 ID；新增的计划不填'),
  name: PlanName.describe('计划名称，1 到 30 个字符，同一活动内不可重名'),
  platform: PlatformCode,
  account_id: Id.nullable().default(null).describe('投放的平台账户 ID；草稿中可为 null'),
  plan_id: PlanId.nullable()
    .default(null)
    .describe(
      '平台上已有计划的编号，平台数据按它归到这个计划；null 仅本地或在平台新建。有 creation 时由平台给出，填写的不计',
    ),
  creation: PlanCreation.nullable()
    .default(null)
    .describe('提交后在平台新建计划的设置；null 不新建。平台已建立后不能修改'),
  package_id: Id.nullable().default(null).describe('定向包 ID，须属于该账户；null 不使用定向包'),
  crowds: z
    .array(z.object({ id: Id.describe('该账户下的子人群 ID'), role: Role }))
    .max(PLAN_CROWDS_MAX, `一个计划最多选择 ${PLAN_CROWDS_MAX} 个人群`)
    .default([])
    .describe('使用的自定义人群'),
  budget_mode: z
    .enum(BUDGET_MODE_KEYS)
    .default('day')
    .describe(`预算方式：${meaningsOf(BUDGET_MODES)}`),
  budget: z
    .int()
    .positive('请输入预算')
    .max(BUDGET_MAX)
    .nullable()
    .default(null)
    .describe('预算，单位分；不限时为 null'),
  start_date: Day.nullable().default(null).describe('开始日期，YYYY-MM-DD；草稿中可为 null'),
  end_date: Day.nullable().default(null).describe('结束日期（含），YYYY-MM-DD；null 长期'),
  hours: Hours.nullable()
    .default(null)
    .describe(`投放时段：从周一零点起每半小时一位，${WEEK_SLOTS} 位，1 为投放；null 全天`),
  is_open: OnOff.default(1).describe('计划自己的开关：1 活动启用时投放，0 不投放'),
})
export type SavedPlan = z.input<typeof SavedPlan>

const PlanDetail = SavedPlan.extend({
  id: Id.describe('计划 ID'),
  type: PlanType.describe(`计划的类型：${meaningsOf(PLAN_TYPES)}`),
  status,
  plan_status_name: z.string().describe('状态的名称'),
  is_local: z.boolean().describe('仅本地：没有关联平台上的计划，也不在平台新建'),
  sync: PlanSync,
  account_name: z.string().nullable().describe('平台账户的名称；还没有选择时为 null'),
  package_name: z.string().nullable().describe('定向包的名称；没有时为 null'),
  crowds: z
    .array(
      z.object({
        id: Id.describe('子人群 ID'),
        role: Role,
        name: z.string().describe('人群的名称'),
        is_usable: z.boolean().describe('现在能否投放'),
      }),
    )
    .describe('使用的自定义人群'),
})
export type PlanDetail = z.output<typeof PlanDetail>

const ActivityDetail = z.object({
  id: Id.describe('活动 ID'),
  name: z.string().describe('活动名称'),
  status,
  is_open: OnOff.describe('活动的开关：1 开，0 关'),
  auto_sync: OnOff.describe('1 每天同步平台数据，0 只在要求时'),
  advertiser_id: Id.describe('所属广告主 ID'),
  advertiser_name: z.string().describe('所属广告主名称'),
  product_id: Id.nullable().describe('产品 ID；没有时为 null'),
  product_name: z.string().nullable().describe('产品名称；没有时为 null'),
  ver: z.int().describe('保存的次数；修改时带上它，过期则拒绝'),
  plans: z.array(PlanDetail).describe('计划'),
})
export type ActivityDetail = z.output<typeof ActivityDetail>

export const getActivity = endpoint({
  method: 'GET',
  path: '/api/campaign',
  group,
  summary: '一个活动与其计划',
  query: z.object({ campaign_id: campaignId }),
  data: ActivityDetail,
})

const Content = z.object({
  name: ActivityName.describe('活动名称，1 到 30 个字符'),
  product_id: Id.nullable().default(null).describe('产品 ID；null 没有'),
  auto_sync: OnOff.default(1).describe('1 每天同步平台数据，0 只在要求时'),
  plans: z
    .array(SavedPlan)
    .max(PLANS_MAX, `一个活动最多 ${PLANS_MAX} 个计划`)
    .default([])
    .describe(`计划，最多 ${PLANS_MAX} 个`),
  submit: z
    .boolean()
    .default(false)
    .describe('提交：检查计划是否完整，之后活动可以启用；false 只保存，已提交的活动保持已提交'),
})
const Saved = z.object({
  id: Id.describe('活动 ID'),
  ver: z.int().describe('保存后的 ver'),
  status,
})

export const createActivity = endpoint({
  method: 'POST',
  path: '/api/campaign',
  group,
  summary: '新建活动与其计划；没有提交的是草稿，可以不完整',
  body: Content.extend({ advertiser_id: Id.describe('所属广告主 ID') }),
  data: Saved,
})

export const updateActivity = endpoint({
  method: 'PUT',
  path: '/api/campaign',
  group,
  summary: '保存活动与其全部计划：没有给出的计划会被删除。ver 过期则拒绝，并答复已保存的内容',
  body: Content.extend({ id: Id.describe('活动 ID'), ver: z.int().positive().describe('读取活动时的 ver') }),
  data: Saved,
})

const Switched = z.object({
  id: Id.describe('活动或计划的 ID'),
  is_open: OnOff.describe('开关：1 开，0 关'),
  status,
  is_syncing: z.boolean().describe('平台还没有答复：之后会改变，或复原并在计划上说明原因'),
})
const SwitchBody = z.object({ id: Id.describe('ID'), is_open: OnOff.describe('1 开，0 关') })

export const switchActivity = endpoint({
  method: 'POST',
  path: Path('/switch'),
  group,
  summary: '开关活动：打开时其计划按各自的开关启用，关联的平台计划一并开关；有一个不能则都复原并逐个说明',
  body: SwitchBody,
  data: Switched,
})

export const switchPlan = endpoint({
  method: 'POST',
  path: Path('/plan/switch'),
  group,
  summary: '开关一个计划，活动启用时关联的平台计划一并开关',
  body: SwitchBody,
  data: Switched,
})

export const deleteActivity = endpoint({
  method: 'DELETE',
  path: '/api/campaign',
  group,
  summary: '删除活动与其计划；先在平台上暂停关联的计划，暂停不了则不删除并逐个说明',
  query: z.object({
    campaign_id: campaignId,
    leave_running: z.enum(['0', '1']).default('0').describe('1 不等平台，直接在这里删除；平台上的计划保持原样'),
  }),
  data: z.object({
    is_deleted: z.boolean().describe('已删除；false 平台还没有答复，暂停后会删除'),
    problems: z.array(AnyOutcome).describe('还没有答复的计划，每个一条'),
  }),
})

export const retryPlan = endpoint({
  method: 'POST',
  path: Path('/plan/retry'),
  group,
  summary: '再次请求平台：新建失败的计划再新建，平台没有接受的改动再发送一次',
  body: z.object({ id: Id.describe('计划 ID') }),
  data: Nothing,
})

export const listPlanPlatforms = endpoint({
  method: 'GET',
  path: Path('/plan/platforms'),
  group,
  summary: '每个平台的计划能做什么',
  data: z.object({
    list: z
      .array(z.object({ platform: PlatformCode, creates: z.boolean().describe('能否在平台新建计划') }))
      .describe('平台，按编号'),
  }),
})

export const setPlanOperator = endpoint({
  method: 'PUT',
  path: Path('/operator'),
  group,
  summary: '保存平台账户操作人的实名令牌（腾讯的计划改动需要）；只写不读',
  body: z.object({
    account_id: Id.describe('平台账户 ID'),
    user_token: z
      .string()
      .trim()
      .min(1, '请输入实名令牌')
      .max(128, '实名令牌最多 128 个字符')
      .regex(/^[\x21-\x7e]*$/, '实名令牌不能有空格与中文')
      .describe('实名令牌（user_token）'),
  }),
  data: Nothing,
})

export const copyActivity = endpoint({
  method: 'POST',
  path: Path('/copy'),
  group,
  summary: '复制为未提交的活动，不带日期与平台计划',
  body: z.object({ id: Id.describe('来源活动的 ID') }),
  data: z.object({ id: Id.describe('副本的 ID'), name: z.string().describe('副本的名称') }),
})

// Assets.

const ActivityAsset = z.object({
  valuable_id: Id.describe('资产 ID'),
  name: z.string().describe('资产名称'),
  advertiser_id: Id.describe('所属广告主 ID'),
  advertiser_name: z.string().describe('所属广告主名称'),
  plans: z.int().describe('计划数'),
  creator: z.string().describe('创建人姓名'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
})
export type ActivityAsset = z.output<typeof ActivityAsset>

export const listActivityAssets = endpoint({
  method: 'GET',
  path: Path('/asset/list'),
  group,
  summary: '存为资产的活动，最近的在前',
  query: PageQuery.extend({
    adv_id: IdParam.optional().describe('只列这个广告主的'),
    name: z.string().max(100).optional().describe('名称包含这段文字'),
  }),
  data: z.object({
    list: z.array(ActivityAsset).describe('本页的资产'),
    total: z.int().describe('符合条件的资产总数'),
  }),
})

export const saveActivityAsset = endpoint({
  method: 'POST',
  path: Path('/asset'),
  group,
  summary: '把活动现在的内容存为资产，不带日期与平台计划',
  body: z.object({
    id: Id.describe('活动 ID'),
    name: AssetName.describe('资产名称，1 到 30 个字符，同一广告主内不可重名'),
  }),
  data: z.object({ valuable_id: Id.describe('资产 ID') }),
})

export const startFromAsset = endpoint({
  method: 'POST',
  path: Path('/asset/use'),
  group,
  summary: '以资产新建一个未提交的活动',
  body: z.object({ valuable_id: Id.describe('资产 ID') }),
  data: z.object({ id: Id.describe('新活动的 ID') }),
})

export const deleteActivityAsset = endpoint({
  method: 'DELETE',
  path: Path('/asset'),
  group,
  summary: '删除资产；用它建立的活动不受影响',
  query: z.object({ valuable_id: IdParam.describe('资产 ID') }),
  data: Nothing,
})

// Log.

/** What was done to an activity. */
export const ACTIVITY_OPERATIONS = {
  '0': '通用',
  '1': '新建',
  '2': '修改',
  '3': '删除',
  '4': '提交',
  '5': '发布',
} as const
const OperationType = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)])
export type OperationType = z.output<typeof OperationType>

export const listActivityLog = endpoint({
  method: 'GET',
  path: Path('/log'),
  group,
  summary: '活动的操作日志，最近的在前',
  query: PageQuery.extend({ campaign_id: campaignId }),
  data: z.object({
    list: z
      .array(
        z.object({
          id: Id.describe('日志 ID'),
          op_type: OperationType.describe(
            `操作类型：${meaningsOf(ACTIVITY_OPERATIONS)}；启用活动为发布，其他开关为通用`,
          ),
          op_by: z.string().describe('操作人姓名'),
          op_at: Seconds.describe('操作时间，时间戳（秒）'),
          changes: z
            .array(
              z.object({
                plan: z.string().nullable().describe('计划的名称；活动自身的为 null'),
                is_plan: z.boolean().describe('计划本身是否新增或删除'),
                label: z.string().describe('修改了什么'),
                before: z.string().nullable().describe('修改前；没有时为 null'),
                after: z.string().nullable().describe('修改后；没有时为 null'),
              }),
            )
            .describe('修改前后的不同'),
        }),
      )
      .describe('本页的日志'),
    total: z.int().describe('日志总数'),
  }),
})

// What the forms choose from.

export const listProducts = endpoint({
  method: 'GET',
  path: Path('/product/list'),
  group,
  summary: '广告主的产品',
  query: z.object({ adv_id: IdParam.describe('广告主 ID') }),
  data: z.object({
    list: z
      .array(z.object({ id: Id.describe('产品 ID'), name: z.string().describe('产品名称') }))
      .describe('产品，按名称'),
  }),
})

export const addProduct = endpoint({
  method: 'POST',
  path: Path('/product'),
  group,
  summary: '给广告主添加一个产品',
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    name: ProductName.describe('产品名称，1 到 30 个字符，同一广告主内不可重名'),
  }),
  data: z.object({ id: Id.describe('产品 ID') }),
})

export const deleteProduct = endpoint({
  method: 'DELETE',
  path: Path('/product'),
  group,
  summary: '删除产品；已选它的活动不再有产品',
  query: z.object({ id: IdParam.describe('产品 ID') }),
  data: Nothing,
})

export const listPlanCrowds = endpoint({
  method: 'GET',
  path: Path('/plan/crowd_list'),
  group,
  summary: '计划可以使用的自定义人群：已推送到该账户且可用的',
  query: z.object({
    account_id: IdParam.describe('平台账户 ID'),
    name: z.string().max(100).optional().describe('名称包含这段文字'),
    page: PageQuery.shape.page,
    page_size: PageQuery.shape.page_size,
  }),
  data: z.object({
    list: z
      .array(
        z.object({
          id: Id.describe('子人群 ID'),
          name: z.string().describe('人群的名称'),
          cover_num: z.int().nullable().describe('平台覆盖的人数；还不知道时为 null'),
        }),
      )
      .describe('本页的人群'),
    total: z.int().describe('符合条件的人群总数'),
  }),
})
