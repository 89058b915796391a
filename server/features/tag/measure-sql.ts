import type { EventDefinition, MeasureKey } from '#contract/tag-event.ts'
import { quote } from '../../clickhouse/bind.ts'
import { numberSql } from '../../clickhouse/typed-text.ts'
import type { DayRange } from './day-window.ts'

/** How a statement reads events: one by one, or as their sums by person and day. */
export interface EventRows {
  /** The day of TIMEZONE. */
  day: string
  /** An aggregate: how many events meet a condition. */
  times(condition: string): string
}

interface Measured {
  definition: EventDefinition
  rows: EventRows
  /** 0 or 1: whether an event is in the definition's time and meets its property conditions. */
  within: string
  /** 0 or 1: whether it counts for the first and last time, which are searched beyond the definition's time. */
  known: string
  period: DayRange
  /** The name of an aggregate over a person's events; equal aggregates are computed once. */
  column(aggregate: string): string
}

/** Digits after the point that sums keep; more are cut. Sums are decimal, so 0.1 + 0.2 is 0.3 in any order. */
const SCALE = 9
export const decimalSql = (text: string) => `toDecimal256OrNull(${text}, ${SCALE})`

/** 0 or 1 for each person: an entry for each measure of the contract. */
const MEASURE_SQL: Record<MeasureKey, (measured: Measured) => string> = {
  times: ({ definition, rows, within, column }) => isCount(column(rows.times(within)), definition),
  days: ({ definition, rows, within, column }) => isCount(column(`uniqExactIf(${rows.day}, ${within})`), definition),
  sum(measured) {
    const { text, from, to } = numbersOf(measured)
    const sum = measured.column(`sumIf(${decimalSql(text)}, ${measured.within})`)
    return isBetween(sum, from && decimalSql(quote(from)), to && decimalSql(quote(to)))
  },
  average(measured) {
    const { text, from, to } = numbersOf(measured)
    const sum = measured.column(`sumIf(${decimalSql(text)}, ${measured.within})`)
    const count = measured.column(`countIf(${decimalSql(text)} IS NOT NULL AND ${measured.within})`)
    const times = (end: string | null) => end && `${decimalSql(quote(end))} * ${count}`
    return isBetween(sum, times(from), times(to))
  },
  smallest: (measured) => extremeSql('minOrNullIf', measured),
  largest: (measured) => extremeSql('maxOrNullIf', measured),
  first: (measured) => momentSql('minOrNullIf', measured),
  last: (measured) => momentSql('maxOrNullIf', measured),
}
export const measureSql = (measured: Measured): string =>
  MEASURE_SQL[measured.definition.measure?.of ?? 'times'](measured)

const isCount = (column: string, { at_least, at_most }: EventDefinition) =>
  `(${column} >= ${at_least}${at_most === undefined ? '' : ` AND ${column} <= ${at_most}`})`

/** A person without a number, or without an event, has NULL and is in no range. */
function isBetween(column: string, from: string | null, to: string | null): string {
  const ends = [...(from === null ? [] : [`${column} >= ${from}`]), ...(to === null ? [] : [`${column} < ${to}`])]
  return `ifNull(${ends.join(' AND ')}, 0)`
}

function numbersOf({ definition: { measure } }: Measured) {
  if (!measure || !('property' in measure)) throw new Error('a measure without a property')
  return { text: propertySql(measure.property), from: measure.from, to: measure.to }
}

function extremeSql(aggregate: 'minOrNullIf' | 'maxOrNullIf', measured: Measured): string {
  const { text, from, to } = numbersOf(measured)
  const number = numberSql(text)
  const extreme = measured.column(`${aggregate}(${number}, isFinite(${number}) AND ${measured.within})`)
  return isBetween(extreme, from && numberSql(quote(from)), to && numberSql(quote(to)))
}

function momentSql(aggregate: 'minOrNullIf' | 'maxOrNullIf', { rows, known, period, column }: Measured): string {
  const day = column(`${aggregate}(${rows.day}, ${known})`)
  return `ifNull(${day} IS NOT NULL AND ${dayWithinSql(day, period)}, 0)`
}

/** 0 or 1: whether a day lies in a range. */
export function dayWithinSql(day: string, { from, to }: DayRange): string {
  const ends = [
    ...(from === null ? [] : [`${day} >= ${quote(from)}`]),
    ...(to === null ? [] : [`${day} <= ${quote(to)}`]),
  ]
  return ends.length === 0 ? '1' : ends.join(' AND ')
}

export const propertySql = (property: string) => `properties[${quote(property)}]`
