import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone.js'
import utc from 'dayjs/plugin/utc.js'

dayjs.extend(utc)
dayjs.extend(timezone)

/** First and last day as YYYY-MM-DD, both included; null is open. */
export interface DayRange {
  from: string | null
  to: string | null
}

/** An instant as TIMEZONE's clocks and calendars show it. */
export const formatted = (seconds: number, zone: string, format: string): string =>
  dayjs.unix(seconds).tz(zone).format(format)

/** The day of TIMEZONE that holds an instant. */
export const dayOf = (seconds: number, zone: string): string => formatted(seconds, zone, 'YYYY-MM-DD')

/** The day `days` calendar days later, regardless of daylight saving. */
export const addDays = (day: string, days: number): string => dayjs.utc(day).add(days, 'day').format('YYYY-MM-DD')

/** "Past N days": N whole days ending yesterday. */
export const pastDays = (days: number, today: string): { from: string; to: string } => ({
  from: addDays(today, -days),
  to: addDays(today, -1),
})
