import { plainToday, secondsOfDays } from '../../lib/days.ts'

/** Days of the metrics where none are chosen; today is the last. */
const DAYS_SHOWN = 30

/** The days of the metrics: those chosen, or the last 30. */
export const shownSpan = (chosen: [number, number] | null): [number, number] =>
  chosen ?? secondsOfDays([plainToday().subtract(DAYS_SHOWN - 1, 'day'), plainToday()])
