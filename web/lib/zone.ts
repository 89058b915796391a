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
let offsets = offsetFormat(current)

export function setZone(name: string) {
  current = name
  offsets = offsetFormat(name)
  dayjs.tz.setDefault(name)
}

function offsetFormat(timeZone: string) {
  return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
}

/** Minutes east of UTC at an instant, in a zone's offset as `GMT+08:00`. */
function offsetAt(seconds: number): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(offsets.format(seconds * 1000)) ?? []
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return sign === '-' ? -size : size
}

/** Epoch seconds as a Dayjs in the deployment's zone; for formatting, seven times faster than dayjs' own `tz`. */
export const atZone = (seconds: number): Dayjs => dayjs.unix(seconds).utcOffset(offsetAt(seconds))

/** The day (`YYYY-MM-DD`) of an instant. */
export const dayOf = (seconds: number) => atZone(seconds).format('YYYY-MM-DD')

export const today = () => dayOf(Math.floor(Date.now() / 1000))

/** The first second of a day. */
export const startOfDay = (day: string) => dayjs.tz(`${day} 00:00:00`, current).unix()

/** The last second of a day, 23:59:59; an expiry day is valid until then. */
export const endOfDay = (day: string) => dayjs.tz(`${day} 23:59:59`, current).unix()
