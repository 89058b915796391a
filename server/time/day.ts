import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone.js'
import utc from 'dayjs/plugin/utc.js'

dayjs.extend(utc)
dayjs.extend(timezone)

/** Longer than any day, including days on which clocks change. */
const LONGEST_DAY = 26 * 3600

/** The first second of the day that holds `seconds`, in the deployment's time zone. */
export const startOfDay = (seconds: number, zone: string): number => edgeOfDay(seconds, -LONGEST_DAY, zone)

/** The last second of the day that holds `seconds`, in the deployment's time zone. */
export const endOfDay = (seconds: number, zone: string): number => edgeOfDay(seconds, LONGEST_DAY, zone)

/** `2026-11-21 09:05:00` in the deployment's time zone. */
export const timeText = (seconds: number, zone: string): string =>
  dayjs.unix(seconds).tz(zone).format('YYYY-MM-DD HH:mm:ss')

/** Searches the calendar, since dayjs is an hour off around days whose clocks change at midnight. */
function edgeOfDay(seconds: number, reach: number, zone: string): number {
  const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
  const day = calendar.format(seconds * 1000)
  let inside = seconds
  let outside = seconds + reach
  while (Math.abs(outside - inside) > 1) {
    const middle = Math.trunc((inside + outside) / 2)
    if (calendar.format(middle * 1000) === day) inside = middle
    else outside = middle
  }
  return inside
}
