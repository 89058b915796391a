import type { Days } from '../../reports/days-in-force.ts'
import { now } from '../../time/clock.ts'
import { dayOf } from '../../time/day.ts'

const DAY = 86_400
/** Days of the metrics where a call names none. */
const DAYS_SHOWN = 30

/** The days of a range of epoch seconds, both ends included; without one the last 30. */
export const shownDays =
  (timezone: string) =>
  (range: readonly [number, number] | undefined): Days => {
    const [from, to] = range ?? [now() - (DAYS_SHOWN - 1) * DAY, now()]
    const days = { from: dayOf(from, timezone), to: dayOf(to, timezone) }
    if (days.from > days.to) return { from: days.to, to: days.to }
    // The warehouse holds days of this range.
    return {
      from: days.from < '1970-01-01' ? '1970-01-01' : days.from,
      to: days.to > '2149-01-01' ? '2149-01-01' : days.to,
    }
  }
