import { z } from 'zod'
import { Id, IdParam, keysOf, meaningsOf, Nothing, Seconds } from './common.ts'
import { SHARE_MAX, SHARE_MIN } from './control-group/membership.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'

const group = '对照组'

const kind = z.enum(['custom', 'rule']).describe('id 是哪种人群：custom 上传的人群，rule 规则人群')

export const ControlShare = z
  .int(`请输入 ${SHARE_MIN} 到 ${SHARE_MAX} 的整数`)
  .min(SHARE_MIN, `比例最少 ${SHARE_MIN}%`)
  .max(SHARE_MAX, `比例最多 ${SHARE_MAX}%`)

/** The control group of a crowd: the people whom none of its pushes sends. */
export const ControlGroup = z.object({
  share: z.int().describe('留出的比例，百分数'),
  creator: z.string().describe('设置人姓名'),
  created_at: Seconds.describe('设置的时间，时间戳（秒）'),
  pushed_at: Seconds.nullable().describe('第一次用于推送的时间，时间戳（秒）；还没有推送时为 null'),
})
export type ControlGroup = z.infer<typeof ControlGroup>

export const getControlGroup = endpoint({
  method: 'GET',
  path: '/api/control_group',
  group,
  summary: '人群的对照组：推送时留出、不发送的人',
  query: z.object({ kind, id: IdParam.describe('人群 ID') }),
  data: z.object({ group: ControlGroup.nullable().describe('对照组；没有设置时为 null') }),
})

export const setControlGroup = endpoint({
  method: 'POST',
  path: '/api/control_group',
  group,
  summary: '设置或取消人群的对照组，从下次推送起生效；已用于推送的，改变即重新随机分组，须 restart 为 true',
  body: z.object({
    kind,
    id: Id.describe('人群 ID'),
    share: ControlShare.nullable().describe(`留出的比例，${SHARE_MIN} 到 ${SHARE_MAX} 的整数，百分数；null 取消对照组`),
    restart: z.boolean().default(false).describe('对照组已用于推送时也改变：重新随机分组，此前的对比到此为止'),
  }),
  data: Nothing,
})

/** What the groups are compared by: events that stand for one of these, whatever activity they name. */
export const COMPARED_EVENTS = { order: '下单', pay: '支付', lead: '留资' } as const
export type ComparedEvent = keyof typeof COMPARED_EVENTS
/** Days after the first push that the page offers. */
export const COMPARED_DAYS = [7, 14, 30, 60, 90] as const
export const COMPARED_DAYS_MAX = 90

const Group = z.object({
  people: z.int().describe('组中的人数'),
  converted: z.int().describe('其中转化的人数'),
  rate: z.number().min(0).max(1).describe('转化率，0 到 1'),
})

/** What the control group of a crowd says about its pushes. */
export const ControlComparison = z.object({
  kind,
  crowd_id: Id.describe('人群 ID'),
  name: z.string().describe('人群名称'),
  share: z.int().describe('留出的比例，百分数'),
  from: Seconds.nullable().describe('对比从何时起，即第一次推送的时间，时间戳（秒）；还没有推送时为 null'),
  to: Seconds.nullable().describe('对比到何时止，时间戳（秒）；还没有推送时为 null'),
  is_over: z.boolean().describe('所选的天数是否已经过完'),
  test: Group.nullable().describe('实验组：推送的人；不能对比时为 null'),
  control: Group.nullable().describe('对照组：留出的人；不能对比时为 null'),
  difference: z
    .object({
      value: z.number().describe('实验组的转化率减去对照组的'),
      low: z.number().describe('95% 区间的下限（Newcombe）'),
      high: z.number().describe('95% 区间的上限（Newcombe）'),
    })
    .nullable()
    .describe('转化率之差，-1 到 1；不能对比时为 null'),
  verdict: z
    .enum(['more', 'less', 'chance'])
    .nullable()
    .describe('more 实验组更多，less 实验组更少，chance 可能只是偶然；不能对比时为 null'),
  unpushed: z
    .array(z.string())
    .describe('设置对照组之前推送过、之后还没有推送成功的账户：留出的人还在其中，两组的差别会偏小'),
  problem: z.string().nullable().describe('不能对比的原因，一句话；可以对比时为 null'),
  problem_outcome: AnyOutcome.nullable(),
})
export type ControlComparison = z.infer<typeof ControlComparison>

export const compareControlGroups = endpoint({
  method: 'GET',
  path: '/api/campaign/control_group',
  group: '营销活动',
  summary: '活动所用人群的实验组与对照组：第一次推送以来各有多少人转化，转化率之差与 95% 区间',
  query: z.object({
    campaign_id: IdParam.describe('活动 ID'),
    event: z
      .enum(keysOf(COMPARED_EVENTS))
      .default('pay')
      .describe(`按哪种自有事件对比，不论它属于哪个活动：${meaningsOf(COMPARED_EVENTS)}`),
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(COMPARED_DAYS_MAX)
      .default(30)
      .describe(`从第一次推送起的天数，1 到 ${COMPARED_DAYS_MAX}`),
  }),
  data: z.object({
    crowds: z.int().describe('活动的计划使用的人群数，不论有没有对照组'),
    list: z.array(ControlComparison).describe('其中有对照组的，按人群 ID'),
  }),
})
