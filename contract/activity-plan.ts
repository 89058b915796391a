import { z } from 'zod'
import { BUDGET_MAX, BUDGET_MODE_KEYS, BUDGET_MODES } from './activity/budget.ts'
import { CROWD_ROLES, PLAN_CROWDS_MAX } from './activity/plan.ts'
import { HOURS_PATTERN, isDay, WEEK_SLOTS } from './activity/schedule.ts'
import { PLAN_TYPES } from './activity/status.ts'
import { group, OnOff, Path, PlanType, status } from './activity-fields.ts'
import { Id, IdParam, itemName, keysOf, meaningsOf, Nothing, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { PlanCreation } from './plan-creation.ts'
import { PlatformCode } from './platform.ts'

export const PlanName = itemName('请输入计划名称')
const Day = z.string().refine(isDay, '日期应为 YYYY-MM-DD')
const Hours = z.string().regex(HOURS_PATTERN, `投放时段应为 ${WEEK_SLOTS} 位 0 或 1`)
const Role = z.enum(keysOf(CROWD_ROLES)).describe(meaningsOf(CROWD_ROLES))
const PlanId = z
  .string()
  .trim()
  .min(1, '请输入平台计划 ID')
  .max(64, '平台计划 ID 最多 64 个字符')
  .regex(/^[\x21-\x7e]*$/, '平台计划 ID 不能有空格与中文')

export const PlanSync = z
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
    can_settle: z.boolean().describe('名称或日期在平台上被改动了，能否用 plan/settle 决定以哪边为准'),
  })
  .meta({ id: 'PlanSync', description: '计划与平台的同步' })
export type PlanSync = z.output<typeof PlanSync>

export const SavedPlan = z.object({
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

export const PlanDetail = SavedPlan.extend({
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

export const retryPlan = endpoint({
  method: 'POST',
  path: Path('/plan/retry'),
  group,
  summary: '再次请求平台：新建失败的计划再新建，平台没有接受的改动再发送一次',
  body: z.object({ id: Id.describe('计划 ID') }),
  data: Nothing,
})

/** Whose values a plan has from now on that was changed on its platform. */
export const PLAN_SIDES = { platform: '采用平台上的名称与日期', ours: '用这里的名称与日期覆盖平台' } as const

const SettledPlan = z.object({
  ver: z.int().describe('活动的 ver，采用平台后加一'),
  name: SavedPlan.shape.name,
  start_date: SavedPlan.shape.start_date,
  end_date: SavedPlan.shape.end_date,
})
export type SettledPlan = z.output<typeof SettledPlan>

export const settlePlan = endpoint({
  method: 'POST',
  path: Path('/plan/settle'),
  group,
  summary: '由我们新建的计划，名称或日期在平台上被改动后，决定以哪边为准',
  body: z.object({
    id: Id.describe('计划 ID'),
    keep: z.enum(keysOf(PLAN_SIDES)).describe(`以哪边为准：${meaningsOf(PLAN_SIDES)}`),
  }),
  data: SettledPlan,
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
    computing: z.int().describe('已推送到该账户、平台还没有处理完的人群数，不在列表中'),
  }),
})
