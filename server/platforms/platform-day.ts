// Both platforms use days and times of China.

const OFFSET = 8 * 3600
const DAY = 86_400

/** Seconds from `now` until the platforms' next day begins. */
export const untilNextDay = (now: number): number => DAY - ((now + OFFSET) % DAY)

/** The platforms' day that holds `seconds`, YYYY-MM-DD. */
export const platformDayOf = (seconds: number): string => new Date((seconds + OFFSET) * 1000).toISOString().slice(0, 10)

/** Epoch seconds of a platform's `yyyy-MM-dd HH:mm:ss`; null if the text has another form. */
export function platformTime(text: string | null | undefined): number | null {
  if (!text || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return null
  const ms = Date.parse(`${text.replace(' ', 'T')}+08:00`)
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000)
}
