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

/** The day that holds `seconds` in the deployment's time zone, YYYY-MM-DD. */
export const dayOf = (seconds: number, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(seconds * 1000)

const HALF_DAY = 12 * 3600

/** The last second of a day, YYYY-MM-DD, in the deployment's time zone. */
export function lastSecondOf(day: string, zone: string): number {
  let inside = Date.parse(`${day}T12:00:00Z`) / 1000
  if (dayOf(inside, zone) < day) inside += HALF_DAY
  if (dayOf(inside, zone) > day) inside -= HALF_DAY
  return endOfDay(inside, zone)
}

/** Every day between two, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  const last = Date.parse(`${to}T00:00:00Z`)
  for (let at = Date.parse(`${from}T00:00:00Z`); at <= last; at += 2 * HALF_DAY * 1000) {
    days.push(new Date(at).toISOString().slice(0, 10))
  }
  return days
}

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
