import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone.js'
import utc from 'dayjs/plugin/utc.js'

dayjs.extend(utc)
dayjs.extend(timezone)

/** The last second of the day that holds `seconds`, in the deployment's time zone. */
export const endOfDay = (seconds: number, zone: string): number => dayjs.unix(seconds).tz(zone).endOf('day').unix()

/** `2026-11-21 09:05:00` in the deployment's time zone. */
export const timeText = (seconds: number, zone: string): string =>
  dayjs.unix(seconds).tz(zone).format('YYYY-MM-DD HH:mm:ss')
