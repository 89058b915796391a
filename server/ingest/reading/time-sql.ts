import { quote } from '../../clickhouse/bind.ts'

const DATE = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const CLOCK = String.raw`([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?`
const ZONE = '( ?(Z|[+-][0-9]{2}:?[0-9]{2}))?'
const ISO = `^${DATE}([T ]${CLOCK}${ZONE})?$`

/** Year, month, day, then morning or afternoon, then hour, minute and second with colons or in words. */
const SPELLED =
  '^([0-9]{4}) ?[-/.年] ?([0-9]{1,2}) ?[-/.月] ?([0-9]{1,2}) ?日?(?:[ T]*(上午|下午)? ?' +
  '(?:([0-9]{1,2})[:：]([0-9]{2})(?:[:：]([0-9]{2}))?|([0-9]{1,2}) ?[时点](?: ?([0-9]{1,2}) ?分)?(?: ?([0-9]{1,2}) ?秒)?))?$'
/** The same as digits alone: YYYYMMDD, with HHMM or HHMMSS. */
const DIGITS = '^((?:19|20)[0-9]{2})([0-9]{2})([0-9]{2})(?:([0-9]{2})([0-9]{2})([0-9]{2})?)?$'

/** Days as spreadsheets count them, for the years 2000 to 2099. As seconds since 1970 they would all be of its first day. */
const SERIAL = { first: 36_526, last: 73_050, of1970: 25_569 }

/**
 * The time in `text` as epoch milliseconds, or null: seconds or milliseconds since 1970, ISO 8601, a day with or without
 * a clock as people write it (`2024-01-02 03:04`, `2024/1/2 3:04`, `2024年1月2日`, `20240102`) or a spreadsheet's number
 * of days, these in the deployment's time zone. A day that does not exist is null.
 */
export function millisSql(text: string, timezone: string): string {
  const zone = quote(timezone)
  // The usual form first. Formatted again it must give the same text, which rules out a 30th of February.
  const isUsual = `length(${text}) = 19 AND ifNull(toString(toDateTimeOrNull(${text}, 'UTC'), 'UTC') = ${text}, 0)`
  const isDay = `ifNull(toString(toDate32OrNull(substring(${text}, 1, 10))) = substring(${text}, 1, 10), 0)`
  const days = `toFloat64OrZero(${text})`
  const isSerial = `match(${text}, '^[0-9]{5}(\\\\.[0-9]+)?$') AND ${days} >= ${SERIAL.first} AND ${days} < ${SERIAL.last}`
  return `multiIf(
    ${isUsual}, toUnixTimestamp64Milli(toDateTime64OrNull(${text}, 3, ${zone})),
    ${isSerial}, ${inZone(`toString(fromUnixTimestamp64Milli(toInt64(round((${days} - ${SERIAL.of1970}) * 86400)) * 1000, 'UTC'))`, zone)},
    match(${text}, ${quote(DIGITS)}) AND length(${text}) != 10, ${writtenSql(`extractGroups(${text}, ${quote(DIGITS)})`, zone, BY_DIGITS)},
    match(${text}, '^[0-9]{1,11}(\\\\.[0-9]+)?$'), toInt64OrNull(toString(round(toFloat64OrZero(${text}) * 1000))),
    match(${text}, '^[0-9]{12,13}$'), toInt64OrNull(${text}),
    match(${text}, ${quote(ISO)}) AND ${isDay}, toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull(${text}, 3, ${zone})),
    match(${text}, ${quote(SPELLED)}), ${writtenSql(`extractGroups(${text}, ${quote(SPELLED)})`, zone, BY_WORDS)},
    NULL)`
}

interface Places {
  hour: readonly number[]
  minute: readonly number[]
  second: readonly number[]
  /** The group with 上午 or 下午. */
  half: number | null
}
const BY_DIGITS: Places = { hour: [4], minute: [5], second: [6], half: null }
const BY_WORDS: Places = { hour: [5, 8], minute: [6, 9], second: [7, 10], half: 4 }

/** The moment of the groups of a pattern; null if there is no such day or time. */
function writtenSql(groups: string, zone: string, { hour, minute, second, half }: Places): string {
  const padded = (places: readonly number[]) =>
    `leftPad(concat(${places.map((at) => `g[${at}]`).join(', ')}, ''), 2, '0')`
  const hourText =
    half === null
      ? padded(hour)
      : `if(g[${half}] = '', ${padded(hour)}, leftPad(toString(toUInt8OrZero(${padded(hour)}) % 12 + if(g[${half}] = '下午', 12, 0)), 2, '0'))`
  const written = `concat(g[1], '-', ${padded([2])}, '-', ${padded([3])}, ' ', ${hourText}, ':', ${padded(minute)}, ':', ${padded(second)})`
  // Formatted again it must be the same, as for the usual form.
  return `arrayMap(g -> arrayMap(t ->
    if(ifNull(toString(toDateTime64OrNull(t, 0, 'UTC')) = t, 0), ${inZone('t', zone)}, NULL), [${written}])[1], [${groups}])[1]`
}

/** The epoch milliseconds of a time written as `YYYY-MM-DD HH:MM:SS[.mmm]` in the time zone. */
const inZone = (written: string, zone: string) => `toUnixTimestamp64Milli(toDateTime64OrNull(${written}, 3, ${zone}))`

export const AHEAD_MS = 24 * 3600 * 1000
