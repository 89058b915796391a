import {
  CELL_DIGITS_MAX,
  CELL_MAX,
  CELL_PATTERNS,
  type CellUnit,
  FRACTION_DIGITS,
  NO_VALUE,
  WIDE,
} from '#contract/activity/metric-cell.ts'
import { quote } from '../../clickhouse/bind.ts'
import { firstReason, type SliceSql } from './chunk-sql.ts'
import type { ReportsPlan } from './plan.ts'
import { metricReason, REFUSED, REPORT_KEY_MAX } from './refusal.ts'
import { AHEAD_MS, millisSql } from './time-sql.ts'

/** The columns of a chunk of reports; `r` is the row in the slice. */
export const REPORT_COLUMNS = {
  r: 'UInt32',
  reason: 'UInt8',
  date: 'Date',
  account_id: 'String',
  campaign_id: 'String',
  plan_id: 'String',
  metrics: 'Map(LowCardinality(String), Int64)',
}

/** The value of a cell that has none. */
const NONE = 'toInt64(-1)'

/** A cell as `cellSql` reads it. */
export const narrowSql = (cell: string): string => `translateUTF8(${cell}, ${quote(WIDE.from)}, ${quote(WIDE.to)})`

/** `readCell` in SQL: the value of a narrow cell in its unit, and the conditions under which it is refused. */
export function cellSql(unit: CellUnit, cell: string) {
  const parts = `extractGroups(${cell}, ${quote(CELL_PATTERNS[unit])})`
  const isNone = `${cell} IN (${NO_VALUE.map(quote).join(', ')})`
  const digits = `trim(LEADING '0' FROM replaceAll(${parts}[2], ',', ''))`
  const isLong = `length(${digits}) > ${CELL_DIGITS_MAX[unit]}`
  const fraction = `rightPad(concat(${parts}[3], ${parts}[4]), ${FRACTION_DIGITS + 1}, '0')`
  const micros = `toInt64OrZero(${digits}) * 1000000 + toInt64OrZero(substring(${fraction}, 1, ${FRACTION_DIGITS}))
    + (substring(${fraction}, ${FRACTION_DIGITS + 1}, 1) >= '5')`
  const value = unit === 'whole' ? `toInt64OrZero(${digits})` : micros
  const isBeyond = `(${isLong} OR ${value} > ${CELL_MAX})`
  return {
    value: `if(${isNone}, ${NONE}, ${value})`,
    unreadable: `NOT ${isNone} AND NOT match(${cell}, ${quote(CELL_PATTERNS[unit])})`,
    negative: `${parts}[1] = '-' AND (${isLong} OR ${value} > 0)`,
    tooLarge: `NOT ${isNone} AND ${isBeyond}`,
  }
}

/** Reads a slice of reports into columns: one pass over the lines. */
export function reportChunkSql(slice: SliceSql, plan: ReportsPlan, at: { timezone: string; nowMs: number }): string {
  const zone = quote(at.timezone)
  const maybe = (place: number | null) => (place === null ? `''` : slice.cell(place))
  const startOf = (day: string) => `toUnixTimestamp64Milli(toDateTime64(${day}, 3, ${zone}))`
  const earliest = startOf(`'2000-01-01 00:00:00'`)
  const tomorrow = `toDate32(fromUnixTimestamp64Milli(toInt64(${at.nowMs + AHEAD_MS}), ${zone}))`
  const latest = startOf(`${tomorrow} + 1`)
  const cells = plan.metrics.map(({ at: place, metric, unit }, index) => ({
    ...cellSql(unit, `m${index}`),
    index,
    name: metric,
    cell: `${narrowSql(slice.cell(place))} AS m${index}`,
  }))
  const reason = firstReason([
    [slice.isLong, REFUSED.longRow],
    [slice.isRagged, REFUSED.ragged],
    [`written = ''`, REFUSED.noDate],
    ['isNull(ms)', REFUSED.badDate],
    [`ms < ${earliest}`, REFUSED.earlyDate],
    [`ms >= ${latest}`, REFUSED.lateDate],
    [`campaign_id = ''`, REFUSED.noCampaign],
    [
      `greatest(lengthUTF8(campaign_id), lengthUTF8(plan_id), lengthUTF8(account_id)) > ${REPORT_KEY_MAX}`,
      REFUSED.longKey,
    ],
    ...cells.flatMap(({ index, unreadable, negative, tooLarge }): [string, number][] => [
      [unreadable, metricReason(index, 'unreadable')],
      [negative, metricReason(index, 'negative')],
      [tooLarge, metricReason(index, 'too_large')],
    ]),
  ])
  const values = cells.map(({ name, value }) => `${quote(name)}, ${value}`).join(', ')
  return `
    SELECT r, ${reason} AS reason,
      toDate(fromUnixTimestamp64Milli(least(greatest(ifNull(ms, ${earliest}), ${earliest}), ${latest}), ${zone})) AS date,
      account_id, campaign_id, plan_id, mapFilter((k, v) -> v >= 0, map(${values})) AS metrics
    FROM (SELECT *, ${slice.cell(plan.date)} AS written, ${millisSql('written', at.timezone)} AS ms,
            ${slice.cell(plan.campaign)} AS campaign_id, ${maybe(plan.plan)} AS plan_id,
            ${maybe(plan.account)} AS account_id, ${cells.map(({ cell }) => cell).join(', ')}
          FROM ${slice.from})`
}
