import { REPORT_DAYS_MAX } from '#contract/day-report.ts'
import { daysOfSeconds, plainToday, secondsOfDays } from '../../lib/days.ts'

/** Days of the metrics where none are chosen; today is the last. */
const DAYS_SHOWN = 30

/** The days of the metrics: those chosen, or the last 30. */
export const shownSpan = (chosen: [number, number] | null): [number, number] =>
  chosen ?? secondsOfDays([plainToday().subtract(DAYS_SHOWN - 1, 'day'), plainToday()])

const firstOf = ([, to]: ReturnType<typeof daysOfSeconds>) => to.subtract(REPORT_DAYS_MAX - 1, 'day')

/** Whether a span has more days than reports, marks and lines may be of. */
export function isTooLong(span: [number, number]): boolean {
  const days = daysOfSeconds(span)
  return days[0].isBefore(firstOf(days))
}

/** The last days of a span, as many as reports, marks and lines may be of. */
export function lastDaysOf(span: [number, number]): [number, number] {
  const days = daysOfSeconds(span)
  return isTooLong(span) ? secondsOfDays([firstOf(days), days[1]]) : span
}
