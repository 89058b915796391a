import { shortCount } from '#contract/size-words.ts'
import { atZone, dayOf, today } from './zone.ts'

export const NONE = '--'

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const upToTwo = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

type Maybe = number | null | undefined
const missing = (n: Maybe): n is null | undefined => n === null || n === undefined || Number.isNaN(n)

/** 1,289,682 */
export const formatCount = (n: Maybe) => (missing(n) ? NONE : grouped.format(n))

/** A share to one decimal: 12.9%; a very small share is not shown as 0. */
export function formatShare(part: Maybe, whole: Maybe) {
  if (missing(part) || missing(whole) || whole === 0) return NONE
  const share = (part / whole) * 100
  if (share > 0 && share < 0.1) return '<0.1%'
  return `${share.toFixed(1)}%`
}

/** 128.97万, 3.2亿; unchanged below ten thousand. Use it only where the exact number is available too. */
export const formatLarge = (n: Maybe) => (missing(n) ? NONE : shortCount(n))

/** YYYY-MM-DD HH:mm:ss in the deployment's time zone. */
export const formatTime = (seconds: Maybe) => (missing(seconds) ? NONE : atZone(seconds).format('YYYY-MM-DD HH:mm:ss'))

/** YYYY-MM-DD in the deployment's time zone. */
export const formatDay = (seconds: Maybe) => (missing(seconds) ? NONE : dayOf(seconds))

/** 11-20 23:59; with the year when it is another one. */
export function formatMoment(seconds: number) {
  const at = atZone(seconds)
  return at.format(at.format('YYYY') === today().slice(0, 4) ? 'MM-DD HH:mm' : 'YYYY-MM-DD HH:mm')
}

/** 截至 11-20 23:59; with the year when it is another one. */
export const formatAsOf = (seconds: Maybe) => (missing(seconds) ? '' : `截至 ${formatMoment(seconds)}`)

/** 刚刚, 5 分钟前, 3 小时前, then the date. */
export function formatAgo(seconds: Maybe, now = Math.floor(Date.now() / 1000)) {
  if (missing(seconds)) return NONE
  const passed = now - seconds
  if (passed < 60) return '刚刚'
  if (passed < 3600) return `${Math.floor(passed / 60)} 分钟前`
  if (passed < 86_400) return `${Math.floor(passed / 3600)} 小时前`
  return atZone(seconds).format('YYYY-MM-DD HH:mm')
}

const BYTES = ['B', 'KB', 'MB', 'GB', 'TB']

/** 1.5 MB, in steps of 1024. */
export function formatBytes(bytes: Maybe) {
  if (missing(bytes)) return NONE
  let step = 0
  let left = bytes
  while (left >= 1024 && step < BYTES.length - 1) {
    left /= 1024
    step += 1
  }
  return `${step === 0 ? left : upToTwo.format(left)} ${BYTES[step]}`
}

/** 还有 3 小时 before a time in the future, 即将继续 after it. */
export function formatIn(seconds: number, now = Math.floor(Date.now() / 1000)) {
  return seconds > now ? `还有 ${formatDuration(seconds - now)}` : '即将继续'
}

/** 下次尝试 14:05; with the date when it is another day. */
export function formatNextAttempt(seconds: number) {
  const at = atZone(seconds)
  return `下次尝试 ${at.format(at.format('YYYY-MM-DD') === today() ? 'HH:mm' : 'MM-DD HH:mm')}`
}

/** Seconds as 1 秒内, 0.8 秒, 45 秒, 3 分 5 秒, 2 小时 10 分, 3 天 4 小时. */
export function formatDuration(seconds: Maybe) {
  if (missing(seconds)) return NONE
  if (seconds < 10 && !Number.isInteger(seconds)) return `${Math.max(0.1, Math.round(seconds * 10) / 10)} 秒`
  const whole = Math.round(seconds)
  const parts = (big: number, bigUnit: string, small: number, smallUnit: string) =>
    small ? `${big} ${bigUnit} ${small} ${smallUnit}` : `${big} ${bigUnit}`
  if (whole < 1) return '1 秒内'
  if (whole < 60) return `${whole} 秒`
  if (whole < 3600) return parts(Math.floor(whole / 60), '分', whole % 60, '秒')
  if (whole < 86_400) return parts(Math.floor(whole / 3600), '小时', Math.floor((whole % 3600) / 60), '分')
  return parts(Math.floor(whole / 86_400), '天', Math.floor((whole % 86_400) / 3600), '小时')
}
