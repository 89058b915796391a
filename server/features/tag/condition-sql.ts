import { createHash } from 'node:crypto'
import type { ConditionOf, OperatorKey, ValueCondition } from '#contract/tag-condition.ts'
import { quote } from '../../clickhouse/bind.ts'
import { numberSql, timeSql } from '../../clickhouse/typed-text.ts'
import { addDays, pastDays } from './day-window.ts'
import type { Calendar } from './frame.ts'

/** Characters of a value inside a statement. */
const EQUAL_CHARS_MAX = 2000

/** 0 or 1: whether the text `value`, which is not empty, meets the condition. */
type OperatorSql<C> = (condition: C, value: string, calendar: Calendar) => string

/** An entry for each operator of the contract. */
const OPERATOR_SQL: { [Op in OperatorKey]: OperatorSql<ConditionOf<Op>> } = {
  equals: (condition, value) =>
    condition.value.length > EQUAL_CHARS_MAX
      ? digestSql(condition.value, value)
      : `${value} = ${quote(condition.value)}`,
  not_equals: (condition, value) => `${value} != ${quote(condition.value)}`,
  in: (condition, value) => `${value} IN (${condition.values.map(quote).join(', ')})`,
  not_in: (condition, value) => `${value} NOT IN (${condition.values.map(quote).join(', ')})`,
  contains: (condition, value) => `position(${value}, ${quote(condition.value)}) > 0`,
  starts_with: (condition, value) => `startsWith(${value}, ${quote(condition.value)})`,
  range(condition, value, { timezone }) {
    const of = condition.as === 'number' ? numberSql : (text: string) => timeSql(text, timezone)
    const within: string[] = []
    if (condition.from !== null) within.push(`${of(value)} >= ${of(quote(condition.from))}`)
    if (condition.to !== null) within.push(`${of(value)} < ${of(quote(condition.to))}`)
    if (condition.as === 'number') within.push(`isFinite(${of(value)})`)
    return `ifNull(${within.join(' AND ')}, 0)`
  },
  on: ({ from, to }, value, calendar) => dayWithin(value, { from, to }, calendar),
  not_before: ({ date }, value, calendar) => dayWithin(value, { from: date, to: null }, calendar),
  before: ({ date }, value, calendar) => dayWithin(value, { from: null, to: addDays(date, -1) }, calendar),
  days({ when, days }, value, calendar) {
    const { today } = calendar
    if (when === 'past') return dayWithin(value, pastDays(days, today), calendar)
    if (when === 'before') return dayWithin(value, { from: null, to: addDays(today, -days - 1) }, calendar)
    return dayWithin(value, { from: today, to: addDays(today, days - 1) }, calendar)
  },
  exists: () => '1',
  empty: () => '0',
}

/** Operators that read the text as a number or a time, which an empty text is not. */
const PARSES: ReadonlySet<OperatorKey> = new Set(['range', 'on', 'not_before', 'before', 'days'])

/**
 * 0 or 1: whether the text `value` meets the condition. An empty text is a missing value and meets only `empty`. It is
 * not checked twice: behind another AND the engine parses a text for each condition instead of once for all, which took
 * seven times as long for ten ranges (measured with chDB 3.4.0).
 */
export function conditionSql(condition: ValueCondition, value: string, calendar: Calendar): string {
  if (condition.is === 'empty') return `${value} = ''`
  // The compiler cannot see that the entry is the one of this condition's operator.
  const operator = OPERATOR_SQL[condition.is] as OperatorSql<ValueCondition>
  const met = operator(condition, value, calendar)
  return PARSES.has(condition.is) ? met : `(${value} != '' AND ${met})`
}

/** The values that a condition of equality names, if they may stand in a statement as they are. */
export function equalValues(condition: ValueCondition): readonly string[] | null {
  if (condition.is === 'equals') return condition.value.length > EQUAL_CHARS_MAX ? null : [condition.value]
  if (condition.is === 'in') return condition.values
  return null
}

/** Older versions made tags of values of several megabytes, which are too long for a statement. */
function digestSql(wanted: string, value: string): string {
  const digest = createHash('sha256').update(wanted).digest('hex')
  return `(length(${value}) = ${Buffer.byteLength(wanted)} AND SHA256(${value}) = unhex('${digest}'))`
}

/**
 * The day of TIMEZONE; NULL when the text is no time: the engine reads 02-30 as a day of March, and 0000-00-00 as one of
 * 1900. A day alone is not read as its midnight, which some days lack.
 */
const daySql = (text: string, zone: string) => {
  const time = timeSql(text, zone)
  return `multiIf(isNull(${time}), NULL, match(${text}, '^\\\\d{4}-\\\\d{2}-\\\\d{2}$'), toDate32OrNull(${text}), toDate32(${time}))`
}

/** Days with both ends included; null is open. */
function dayWithin(value: string, { from, to }: { from: string | null; to: string | null }, { timezone }: Calendar) {
  const day = daySql(value, timezone)
  const ends = [
    ...(from === null ? [] : [`${day} >= toDate32(${quote(from)})`]),
    ...(to === null ? [] : [`${day} <= toDate32(${quote(to)})`]),
  ]
  return `ifNull(${ends.join(' AND ')}, 0)`
}
