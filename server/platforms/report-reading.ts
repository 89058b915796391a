import { METRICS, REPORTED, type ReportedKey } from '#contract/activity/metrics.ts'
import { outcome } from '#contract/outcome.ts'
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
  /**
   * Days on which a plan was not shown have no row, though what comes late of earlier shows, such as conversions, counts
   * for the account on such a day.
   */
  leavesOutUnseen?: boolean
}

/** A range that is not equal to its sums is read again so often. */
const TRIES = 2
/** How often somebody was shown an ad: all rows with any of it are listed, so these always add up. */
const SHOWS: readonly ReportedKey[] = ['imp_pv', 'gdt_view_count']

class TooManyRows extends Error {}

/**
 * The account's own sums of one page. `total`: the days that the platform has; an answer with fewer would say that nothing
 * happened on the others.
 */
export function accountDays(
  days: readonly (readonly [date: string, cells: ReportCells])[],
  total: number,
): ReadonlyMap<string, ReportCells> {
  const found = new Map(days)
  if (found.size !== total) throw new PlatformFault('later', outcome('platform_answer_incomplete'))
  return found
}

/**
 * Every day of the range, each with all its plans. A range with more rows than the pages reach is read in two halves. A
 * day counts only where its plans add up to what the platform says of the account, before the rows were read or after: a
 * day that has not ended grows between the two, and its sums must then lie between them. A day that never does is returned
 * with the reason. Where the platform leaves out plans that were not shown, their late conversions are the rest of the day.
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
        return [{ date: range.from, plans: [], rest: [], fault }]
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
    ({ date, plan_id }: ReportRow) => `${date} ${plan_id ?? ''}`,
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
    const listed = byDay.get(date) ?? []
    const sums = sumsOf(date, listed, [before.get(date), after.get(date)], source)
    const plans = listed.flatMap(({ plan_id, cells }) => (plan_id === null ? [] : [{ plan_id, cells }]))
    return { date, plans, ...sums }
  })
}

/**
 * The metrics of which the account has more than its plans, and the first one whose rows do not add up to the account. One
 * that only the account or only the rows have is not compared; an account without a row, and one without plans, has zeros.
 */
function sumsOf(
  date: string,
  rows: readonly ReportRow[],
  [before, after]: readonly [ReportCells | undefined, ReportCells | undefined],
  { leavesOutUnseen = false }: Pick<ReportSource, 'leavesOutUnseen'>,
): Pick<ReportDay, 'rest' | 'fault'> {
  const rest: ReportedKey[] = []
  const unplanned = rows.filter(({ plan_id }) => plan_id === null)
  const isKnown = (key: ReportedKey) => {
    const ofAccount = (!before && !after) || before?.[key] !== undefined || after?.[key] !== undefined
    return ofAccount && (rows.length === 0 || rows.some(({ cells }) => cells[key] !== undefined))
  }
  for (const key of REPORTED) {
    const sum = rows.reduce((all, { cells }) => all + (cells[key] ?? 0n), 0n)
    const [one, other] = [before?.[key] ?? 0n, after?.[key] ?? 0n]
    const [low, high] = one < other ? [one, other] : [other, one]
    const isLess = isKnown(key) && sum < low
    const mayBeLess = leavesOutUnseen && !SHOWS.includes(key)
    if ((isLess && !mayBeLess) || (isKnown(key) && sum > high))
      return { rest: [], fault: outcome('report_sums_differ', { date, metric: METRICS[key].label }) }
    if (isLess || unplanned.some(({ cells }) => (cells[key] ?? 0n) !== 0n)) rest.push(key)
  }
  return { rest, fault: null }
}

const rangeOf = (dates: readonly string[]): ReportRange => ({ from: dates[0] ?? '', to: dates.at(-1) ?? '' })
