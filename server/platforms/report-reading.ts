import { METRICS, REPORTED, type ReportedKey } from '#contract/activity/metrics.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { daysBetween } from '../time/day.ts'
import { PlatformFault } from './audience-platform.ts'
import { UnreadableCell } from './report-cells.ts'
import type { ReportCells, ReportDay, ReportRange, ReportRow } from './report-platform.ts'
import { type ListPage, wholeList } from './whole-list.ts'

/** How a platform's report calls are read. */
export interface ReportSource {
  pageSize: number
  /** The last row that pages reach. */
  rowsMost: number
  /** Rows of plans, the same order on each page. */
  page(range: ReportRange, page: number): Promise<ListPage<ReportRow>>
  /** The account's own sums by day; a day without any is missing. */
  totals(range: ReportRange): Promise<ReadonlyMap<string, ReportCells>>
}

/** A range that is not equal to its sums is read again so often. */
const TRIES = 2

class TooManyRows extends Error {}

/**
 * Every day of the range, each with all its plans. A range with more rows than the pages reach is read in two halves. A
 * day counts only where its plans add up to what the platform says of the account, before the rows were read or after: a
 * day that has not ended grows between the two, and its sums must then lie between them. A day that never does is returned
 * with the reason.
 */
export async function wholeReport(source: ReportSource, range: ReportRange): Promise<ReportDay[]> {
  for (let tries = 1; ; tries++) {
    let days: ReportDay[]
    try {
      days = await once(source, range)
    } catch (error) {
      if (error instanceof UnreadableCell) {
        throw new PlatformFault('later', outcome('platform_answer_unreadable'), { cause: error })
      }
      if (!(error instanceof TooManyRows)) throw error
      const all = daysBetween(range.from, range.to)
      const half = all.length / 2
      if (half < 1) {
        const fault = outcome('report_rows_many', { date: range.from, max: source.rowsMost })
        return [{ date: range.from, plans: [], fault }]
      }
      const [first, second] = [all.slice(0, half), all.slice(half)]
      return [...(await wholeReport(source, rangeOf(first))), ...(await wholeReport(source, rangeOf(second)))]
    }
    if (tries >= TRIES || days.every(({ fault }) => fault === null)) return days
  }
}

async function once(source: ReportSource, range: ReportRange): Promise<ReportDay[]> {
  const before = await source.totals(range)
  const rows = await wholeList(
    source.pageSize,
    ({ date, plan_id }: ReportRow) => `${date} ${plan_id}`,
    async (page) => {
      const read = await source.page(range, page)
      if ((read.total ?? 0) > source.rowsMost) throw new TooManyRows()
      return read
    },
  )
  const after = await source.totals(range)
  const byDay = Map.groupBy(rows, ({ date }) => date)
  const dates = daysBetween(range.from, range.to)
  // A day that was not asked for: the answer is another call's.
  const isStrange = [...byDay.keys(), ...before.keys(), ...after.keys()].some((date) => !dates.includes(date))
  if (isStrange) throw new PlatformFault('later', outcome('platform_answer_incomplete'))
  return dates.map((date) => {
    const plans = (byDay.get(date) ?? []).map(({ plan_id, cells }) => ({ plan_id, cells }))
    return { date, plans, fault: faultOf(date, plans, [before.get(date), after.get(date)]) }
  })
}

/**
 * The first metric whose plans do not add up to the account. One that only the account or only the plans have is not
 * compared; an account without a row, and one without plans, has zeros.
 */
function faultOf(
  date: string,
  plans: ReportDay['plans'],
  [before, after]: readonly [ReportCells | undefined, ReportCells | undefined],
): AnyOutcome | null {
  const isKnown = (key: ReportedKey) => {
    const ofAccount = (!before && !after) || before?.[key] !== undefined || after?.[key] !== undefined
    return ofAccount && (plans.length === 0 || plans.some(({ cells }) => cells[key] !== undefined))
  }
  const differs = REPORTED.find((key) => {
    if (!isKnown(key)) return false
    const sum = plans.reduce((all, { cells }) => all + (cells[key] ?? 0n), 0n)
    const [one, other] = [before?.[key] ?? 0n, after?.[key] ?? 0n]
    return sum < (one < other ? one : other) || sum > (one < other ? other : one)
  })
  return differs ? outcome('report_sums_differ', { date, metric: METRICS[differs].label }) : null
}

const rangeOf = (dates: readonly string[]): ReportRange => ({ from: dates[0] ?? '', to: dates.at(-1) ?? '' })
