import { z } from 'zod'
import { DAY_MARKS } from './activity/marks.ts'
import { CommaIds, DayRange, Id, IdParam, keysOf, meaningsOf, PAGE_SIZE_MAX, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { PlatformCode } from './platform.ts'

const group = '平台报表'

/** How the reading of an account's reports stands. */
export const REPORT_STATES = {
  idle: '没有在读取',
  waiting: '读取中，或排队等待',
  paused: '已暂停，等待重新授权',
  failed: '读取失败，到下一次每天的同步再试',
} as const
export type ReportState = keyof typeof REPORT_STATES

const ReportAccount = z
  .object({
    account_id: Id.describe('平台账户 ID'),
    account_name: z.string().describe('平台账户的名称'),
    external_id: z.string().describe('平台上的账户 ID'),
    platform: PlatformCode,
    advertiser_id: Id.describe('所属广告主 ID'),
    state: z.enum(keysOf(REPORT_STATES)).describe(`读取的状态：${meaningsOf(REPORT_STATES)}`),
    fail_outcome: AnyOutcome.nullable(),
    is_auto: z.boolean().describe('是否每天自动同步：有一个关联了该账户的活动打开了自动同步'),
    synced_at: Seconds.nullable().describe('最近一次读完的时间，时间戳（秒）；没有读完过时为 null'),
    failed_at: Seconds.nullable().describe('之后第一次失败的时间，时间戳（秒）；没有失败时为 null'),
    next_at: Seconds.nullable().describe('下一次每天同步的时间，时间戳（秒），之后半小时内开始；不自动同步时为 null'),
    complete_to: z.string().nullable().describe('数据完整的最后一天，YYYY-MM-DD；一天也没有时为 null'),
    plans_read_at: Seconds.nullable().describe('最近一次读取平台计划的时间，时间戳（秒）；没有读取过时为 null'),
    missing_days: z.int().describe('还要读取的天数'),
    rest_outcome: AnyOutcome.nullable().describe('最近 30 天里，账户的数据多于各计划之和的日子；没有时为 null'),
  })
  .meta({ id: 'ReportAccount', description: '一个平台账户的报表读取到哪里' })
export type ReportAccount = z.output<typeof ReportAccount>

const Accounts = z.object({ list: z.array(ReportAccount).describe('平台账户') })

export const getReportSync = endpoint({
  method: 'GET',
  path: '/api/report/sync',
  group,
  summary: '平台报表读取的状态：一个活动的、一个广告主的、或全部可见的平台账户，只含关联了计划的账户',
  query: z.object({
    campaign_id: IdParam.optional().describe('只列这个活动的计划所在的账户'),
    adv_id: IdParam.optional().describe('只列这个广告主的账户'),
  }),
  data: Accounts,
})

export const syncReports = endpoint({
  method: 'POST',
  path: '/api/report/sync',
  group,
  summary:
    '立即读取平台报表（最近 7 天与缺少的日期）与这些账户的平台计划。只记下要求并答复状态，读取在后台进行；读取中再次要求不会重复读取',
  body: z
    .object({
      account_id: Id.optional().describe('平台账户 ID'),
      campaign_id: Id.optional().describe('活动 ID：读取它的计划所在的账户'),
      adv_id: Id.optional().describe('广告主 ID：读取它关联了计划的全部账户'),
    })
    .refine(
      (given) => Object.values(given).filter((one) => one !== undefined).length === 1,
      '请选择一个平台账户、活动或广告主',
    ),
  data: Accounts,
})

const timeRange = DayRange.optional()
const UnlinkedPlan = z
  .object({
    account: z.string().describe('报表中的平台账户 ID；报表没有写账户时为空'),
    account_id: Id.nullable().describe('它在这里的平台账户 ID；这里没有该账户时为 null'),
    account_name: z.string().nullable().describe('该账户的名称；这里没有该账户时为 null'),
    platform: PlatformCode.nullable().describe('该账户的平台；这里没有该账户时为 null'),
    plan: z.string().describe('平台计划 ID；报表的行没有写计划时为空，不能关联'),
    campaign: z.string().describe('报表中的活动名称或 ID'),
    first_day: z.string().describe('有数据的第一天，YYYY-MM-DD'),
    last_day: z.string().describe('有数据的最后一天，YYYY-MM-DD'),
    days: z.int().positive().describe('有数据的天数'),
    cost: z.int().nullable().describe('花费之和，单位分；不知道或无权查看时为 null'),
  })
  .meta({ id: 'UnlinkedPlan', description: '有报表而没有任何活动关联的平台计划' })
export type UnlinkedPlan = z.output<typeof UnlinkedPlan>

export const listUnlinkedPlans = endpoint({
  method: 'GET',
  path: '/api/report/unlinked',
  group,
  summary:
    '有报表、但没有任何活动关联的平台计划，花费多的在前，无权查看花费时最近有数据的在前；在活动里关联后才会显示它们的数据',
  query: PageQuery.extend({
    adv_id: IdParam.describe('广告主 ID'),
    account_id: IdParam.optional().describe('只列这个平台账户的，以及报表没有写账户的'),
    import_id: IdParam.optional().describe('只列这次导入的文件中有的，不限时间'),
    time_range: timeRange.describe(
      '时间范围：两个时间戳（秒），逗号相连，含两端所在的整天；不填则为最近 366 天，最多 366 天',
    ),
  }),
  data: z.object({
    list: z.array(UnlinkedPlan).describe('本页的平台计划'),
    total: z.int().describe('总数，含没有写计划的活动'),
    plans: z.int().describe('其中写了平台计划 ID 的个数'),
  }),
})

const mark = z.enum(keysOf(DAY_MARKS)).describe(`标记：${meaningsOf(DAY_MARKS)}`)
const timeRangeOfMarks = timeRange.describe(
  '时间范围：两个时间戳（秒），逗号相连，含两端所在的整天；不填则为最近 30 天，最多 366 天',
)
const Mark = z
  .object({
    date: z.string().describe('日期，YYYY-MM-DD'),
    mark,
    mark_outcome: AnyOutcome,
  })
  .meta({ id: 'ReportMark', description: '一天的数据有什么不寻常' })
export type ReportMark = z.output<typeof Mark>

export const listReportMarks = endpoint({
  method: 'GET',
  path: '/api/report/marks',
  group,
  summary: '活动在时间范围内的标记：未同步、平台修正、异常波动各有几天，与最近的一天',
  query: z.object({
    campaign_id: CommaIds.pipe(z.array(Id).min(1).max(PAGE_SIZE_MAX)).describe('活动 ID，逗号分隔，1 到 500 个'),
    time_range: timeRangeOfMarks,
  }),
  data: z.object({
    list: z
      .array(
        z.object({
          campaign_id: Id.describe('活动 ID'),
          mark,
          days: z.int().positive().describe('有这个标记的天数'),
          latest: Mark.describe('其中最近的一天'),
        }),
      )
      .describe('有标记的活动，每种标记一项'),
  }),
})

export const listDayMarks = endpoint({
  method: 'GET',
  path: '/api/report/day_marks',
  group,
  summary: '一个活动在时间范围内每天的标记',
  query: z.object({ campaign_id: IdParam.describe('活动 ID'), time_range: timeRangeOfMarks }),
  data: z.object({ list: z.array(Mark).describe('标记，最早的在前') }),
})
