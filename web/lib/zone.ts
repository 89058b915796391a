import dayjs, { type Dayjs } from 'dayjs'
import timezone from 'dayjs/plugin/timezone'
import utc from 'dayjs/plugin/utc'

dayjs.extend(utc)
dayjs.extend(timezone)

/**
 * The deployment's time zone. It is set once before anything is drawn and never changes in a running page: passing
 * it to every place that formats a date would only add a constant parameter.
 */
let current = 'Asia/Shanghai'

export function setZone(name: string) {
  current = name
  dayjs.tz.setDefault(name)
}

/** Epoch seconds as a Dayjs in the deployment's zone. */
export const atZone = (seconds: number): Dayjs => dayjs.unix(seconds).tz(current)

/** The day (`YYYY-MM-DD`) of an instant. */
export const dayOf = (seconds: number) => atZone(seconds).format('YYYY-MM-DD')

export const today = () => dayOf(Math.floor(Date.now() / 1000))

/** The first second of a day. */
export const startOfDay = (day: string) => dayjs.tz(`${day} 00:00:00`, current).unix()

/** The last second of a day, 23:59:59; an expiry day is valid until then. */
export const endOfDay = (day: string) => dayjs.tz(`${day} 23:59:59`, current).unix()
