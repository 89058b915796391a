/** The longest row of columns in a chart of days; longer spans have a column a week, then a month. */
const COLUMNS_MAX = 366
const DAY_MS = 86_400_000

export type DayStep = 'day' | 'week' | 'month'

/** A day of the calendar, `2026-11-25`; the time zone is settled by whoever names it. */
type Day = string

const stampOf = (day: Day) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (stamp: number): Day => new Date(stamp).toISOString().slice(0, 10)
/** Days from `from` to `to`, both counted; 0 or less if `to` is earlier. */
const daysBetween = (from: Day, to: Day) => Math.round((stampOf(to) - stampOf(from)) / DAY_MS) + 1

/** The first day of the week (Monday) or month that holds the day. */
function columnOf(day: Day, step: DayStep): Day {
  if (step === 'day') return day
  if (step === 'month') return `${day.slice(0, 7)}-01`
  const stamp = stampOf(day)
  const sinceMonday = (new Date(stamp).getUTCDay() + 6) % 7
  return dayOf(stamp - sinceMonday * DAY_MS)
}

/** How long the columns of a span are: days up to 366 of them, then weeks up to 366 of them, then months. */
export function dayStep(from: Day, to: Day): DayStep {
  const days = daysBetween(from, to)
  if (days <= COLUMNS_MAX) return 'day'
  return days <= COLUMNS_MAX * 7 ? 'week' : 'month'
}

/**
 * The columns of a chart from one day to another, both included, with zeros where nothing happened. Days outside the
 * span are left out. The first column is named by its first day within the span.
 */
export function chartColumns(
  days: readonly { day: Day; total: number }[],
  from: Day,
  to: Day,
): { step: DayStep; columns: { day: Day; total: number }[] } {
  const step = dayStep(from, to)
  const columns = new Map<Day, { day: Day; total: number }>()
  for (let stamp = stampOf(from); stamp <= stampOf(to); stamp += DAY_MS) {
    const day = dayOf(stamp)
    const key = columnOf(day, step)
    if (!columns.has(key)) columns.set(key, { day, total: 0 })
  }
  for (const { day, total } of days) {
    const column = day >= from && day <= to ? columns.get(columnOf(day, step)) : undefined
    if (column) column.total += total
  }
  return { step, columns: [...columns.values()] }
}

/** What an event says besides its name: the page's title, then its properties by their display names. */
export function eventInfo(
  title: string,
  properties: Readonly<Record<string, string>>,
  settings: Readonly<
    Record<string, { display_name?: string; dictionary?: readonly { value: string; label: string }[] }>
  >,
): string {
  const said = Object.entries(properties)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => {
      const { display_name = name, dictionary = [] } = settings[name] ?? {}
      return `${display_name}：${dictionary.find((one) => one.value === value)?.label ?? value}`
    })
  return [...(title === '' ? [] : [title]), ...said].join('；')
}
