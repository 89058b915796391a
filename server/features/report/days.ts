import { daysBetween } from '../../time/day.ts'

const DAY_S = 86_400
/** Days of the first reading of an account, as far as the platform gives them. */
const FIRST_DAYS = 30
/** Days before today that are read again, daily and once a week: platforms correct them. */
export const DAILY_DEPTH = 7
export const WEEKLY_DEPTH = 30
const MONDAY = 1

/** A day of an account as it was read last. */
export interface ReadDay {
  date: string
  version: number | null
  read_at: number | null
}

/** The day so many days after another one (YYYY-MM-DD). */
export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_S * 1000).toISOString().slice(0, 10)

/** When a day of the platforms, which is a day of China, is over. Epoch seconds. */
const endOf = (date: string): number => Date.parse(`${date}T24:00:00+08:00`) / 1000

/** Whether a day was read whole after it was over. */
export const isComplete = ({ date, version, read_at }: ReadDay): boolean =>
  version !== null && read_at !== null && read_at >= endOf(date)

/** When the week of a day began, on the platforms' Monday. Epoch seconds. */
function weekOf(date: string): number {
  const sinceMonday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 7 - MONDAY) % 7
  return endOf(dayAfter(date, -sinceMonday - 1))
}

/**
 * The days to be read, in order: today and the last week, what was not read whole, and what came since the last complete
 * day; `weekly`: the last month, too, as far as it was not read in this week. `daysBack`: how far the platform's reports
 * reach, today included.
 */
export function wantedDays(
  known: readonly ReadDay[],
  { today, weekly, daysBack }: { today: string; weekly: boolean; daysBack: number },
): string[] {
  const complete = new Set(known.filter(isComplete).map(({ date }) => date))
  const begun = new Set(known.map(({ date }) => date))
  const last = [...complete].toSorted().at(-1)
  const since = last ?? dayAfter(today, -FIRST_DAYS)
  const week = weekOf(today)
  const thisWeek = new Set(known.filter(({ read_at }) => read_at !== null && read_at >= week).map(({ date }) => date))
  const isDeep = (date: string) => weekly && date >= dayAfter(today, -WEEKLY_DEPTH) && !thisWeek.has(date)
  return daysBetween(dayAfter(today, 1 - daysBack), today).filter(
    (date) =>
      date >= dayAfter(today, -DAILY_DEPTH) || date > since || isDeep(date) || (begun.has(date) && !complete.has(date)),
  )
}

/** Runs of days that follow each other, of at most so many days. Today is a run of its own: it grows while it is read. */
export function runsOf(dates: readonly string[], today: string, most: number): string[][] {
  const runs: string[][] = []
  for (const date of dates.toSorted()) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && dayAfter(last, 1) === date && run.length < most && date !== today) run.push(date)
    else runs.push([date])
  }
  return runs
}
