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
  report_rows_many: entry(
    { date: Day, max: z.int().positive() },
    ({ date, max }) => `${date} 的数据超过 ${max} 行，平台的报表接口无法读取`,
  ),
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
} as const
