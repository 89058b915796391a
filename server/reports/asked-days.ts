import { now } from '../time/clock.ts'
import { dayOf } from '../time/day.ts'
import type { Days } from './days-in-force.ts'

const DAY = 86_400
/** Days of the metrics where a call names none. */
const DAYS_SHOWN = 30
/** The first day that the warehouse holds; west of Greenwich the second 0 is on the day before. */
const FIRST_DAY = '1970-01-01'

/** The days of a range of epoch seconds (`DayRange`), both ends included; without one the last 30. */
export const askedDays =
  (timezone: string) =>
  (range: readonly [number, number] | undefined): Days => {
    const [from, to] = range ?? [now() - (DAYS_SHOWN - 1) * DAY, now()]
    const held = (second: number) => {
      const day = dayOf(second, timezone)
      return day < FIRST_DAY ? FIRST_DAY : day
    }
    return { from: held(from), to: held(to) }
  }
