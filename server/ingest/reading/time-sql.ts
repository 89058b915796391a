import { quote } from '../../clickhouse/bind.ts'

const DATE = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const CLOCK = String.raw`([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?`
const ZONE = '( ?(Z|[+-][0-9]{2}:?[0-9]{2}))?'
const ISO = `^${DATE}([T ]${CLOCK}${ZONE})?$`

/**
 * The time in `text` as epoch milliseconds, or null: seconds or milliseconds since 1970, ISO 8601, or
 * `YYYY-MM-DD[ HH:MM[:SS]]` in the deployment's time zone. A day that does not exist is null.
 */
export function millisSql(text: string, timezone: string): string {
  const zone = quote(timezone)
  // The usual form first. Formatted again it must give the same text, which rules out a 30th of February.
  const isUsual = `length(${text}) = 19 AND ifNull(toString(toDateTimeOrNull(${text}, 'UTC'), 'UTC') = ${text}, 0)`
  const isDay = `ifNull(toString(toDate32OrNull(substring(${text}, 1, 10))) = substring(${text}, 1, 10), 0)`
  return `multiIf(
    ${isUsual}, toUnixTimestamp64Milli(toDateTime64OrNull(${text}, 3, ${zone})),
    match(${text}, '^[0-9]{1,11}(\\\\.[0-9]+)?$'), toInt64OrNull(toString(round(toFloat64OrZero(${text}) * 1000))),
    match(${text}, '^[0-9]{12,13}$'), toInt64OrNull(${text}),
    match(${text}, ${quote(ISO)}) AND ${isDay}, toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull(${text}, 3, ${zone})),
    NULL)`
}

export const AHEAD_MS = 24 * 3600 * 1000
