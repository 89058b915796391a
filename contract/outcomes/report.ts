import { z } from 'zod'
import { AnyOutcome, entry, plain } from './entry.ts'

const Day = z.string().min(1)

/** Why reports of a platform were not stored, and why an account is not read. */
export const REPORT_OUTCOMES = {
  /** `metric`: its label. */
  report_sums_differ: entry(
    { date: Day, metric: z.string().min(1) },
    ({ date, metric }) => `${date} 各计划的「${metric}」之和与账户的合计不一致，没有保存`,
  ),
  /** The day is stored; `metrics`: labels, some of those that the account has more of than its plans. */
  report_day_rest: entry(
    { date: Day, metrics: z.array(z.string().min(1)).min(1), days: z.int().positive() },
    ({ date, metrics, days }) =>
      `${date}${days > 1 ? ` 等 ${days} 天` : ''}，账户有一部分「${metrics.join('」「')}」不属于任何一个计划，不计入活动：平台没有列出它们的计划，例如当天没有曝光的`,
  ),
  report_rows_many: entry(
    { date: Day, max: z.int().positive() },
    ({ date, max }) => `${date} 的数据超过 ${max} 行，平台的报表接口无法读取`,
  ),
  /** Nobody has authorised the account so far. */
  report_never_authorised: plain('尚未授权，授权后会自动读取平台报表', 'reauthorise'),
  report_waits_for_authorisation: entry(
    { cause: AnyOutcome },
    ({ cause }, say) => `${say(cause)}；重新授权后会自动补齐缺少的日期`,
    'reauthorise',
  ),
  report_tries_again: entry(
    { at: z.int(), cause: AnyOutcome },
    ({ cause }, say) => `${say(cause)}，稍后自动重试`,
    'wait_until',
  ),
  report_none_there: plain('该平台没有可读取的报表'),
  report_no_linked_plans: plain('活动的计划都没有关联平台计划，没有可同步的数据'),

  /** Why a control group cannot be compared. `event`: its label. */
  control_not_pushed: plain('对照组还没有用于推送，推送后开始对比'),
  control_event_missing: entry(
    { event: z.string().min(1) },
    ({ event }) => `还没有事件代表「${event}」，请在「数据接入」为事件选择标准事件`,
  ),
  control_members_cleared: plain('第一次推送时人群的成员已经清理（最多保留 90 天），不能再对比'),
  control_group_empty: plain('第一次推送时两组中有一组没有已知的用户，不能对比'),

  /** What is odd about a day of an activity. */
  report_day_unsynced: entry(
    { accounts: z.array(z.string().min(1)).min(1) },
    ({ accounts }) => `${accounts.map((name) => `账户「${name}」`).join('、')}这天的报表还没有同步完整`,
  ),
  /** `is_kept`: numbers that were read earlier are shown; `others`: accounts that were not read whole either. */
  report_day_refused: entry(
    { account: z.string().min(1), cause: AnyOutcome, is_kept: z.boolean(), others: z.int() },
    ({ account, cause, is_kept, others }, say) =>
      `账户「${account}」：${say(cause)}${is_kept ? '，显示的是之前读取的数据' : ''}${
        others > 0 ? `；另有 ${others} 个账户没有同步完整` : ''
      }`,
  ),
  /** `before` and `after`: as they are shown; `others`: how many other plans changed, too. */
  report_day_corrected: entry(
    { plan: z.string(), metric: z.string().min(1), before: z.string(), after: z.string(), others: z.int() },
    ({ plan, metric, before, after, others }) =>
      `平台修正了计划「${plan}」的「${metric}」：${before} → ${after}${others > 0 ? `，另有 ${others} 个计划` : ''}`,
  ),
  /** Each metric as it is shown; `usual`: the median of the seven days before. */
  report_day_jump: entry(
    { jumps: z.array(z.object({ metric: z.string().min(1), value: z.string(), usual: z.string() })).min(1) },
    ({ jumps }) => jumps.map(({ metric, value, usual }) => `${metric} ${value}，前 7 天的中位数是 ${usual}`).join('；'),
  ),
} as const
