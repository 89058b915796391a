import { REPORT_DAYS_MAX } from '#contract/day-report.ts'
import { daysOfSeconds, plainToday, secondsOfDays } from '../../lib/days.ts'

/** Days of the metrics where none are chosen; today is the last. */
const DAYS_SHOWN = 30

/** The days of the metrics: those chosen, or the last 30. */
export const shownSpan = (chosen: [number, number] | null): [number, number] =>
  chosen ?? secondsOfDays([plainToday().subtract(DAYS_SHOWN - 1, 'day'), plainToday()])

/** The last days of a span, as many as marks and lines may be of. */
export function lastDaysOf(span: [number, number]): [number, number] {
  const [from, to] = daysOfSeconds(span)
  const first = to.subtract(REPORT_DAYS_MAX - 1, 'day')
  return from.isBefore(first) ? secondsOfDays([first, to]) : span
}
