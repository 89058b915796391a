import type { ValueKey } from './columns.ts'
import type { MetricFormat } from './metrics.ts'

type NumberFormat = Exclude<MetricFormat, 'text' | 'time'>

/** How spreadsheets show a format: amounts in yuan, shares as percent. */
export const SHEET_FORMATS: Readonly<Record<NumberFormat, string>> = {
  count: '#,##0',
  number: '#,##0',
  money: '#,##0.00',
  percent: '0.00%',
  ratio: '0.00',
}

/** The name of a column in a file: amounts say their unit. */
export const exportedLabel = (label: string, format: MetricFormat): string =>
  format === 'money' ? `${label}（元）` : label

/** 1234.50 of 123450 fen, made of digits: a division could add some of its own. */
function yuanText(fen: number): string {
  const digits = String(Math.abs(fen)).padStart(3, '0')
  return `${fen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** A value of the wire as a cell of a csv, without separators of thousands; empty where it is not known. */
export function exportedText(format: NumberFormat, value: number | null): string {
  if (value === null) return ''
  if (format === 'money') return yuanText(value)
  if (format === 'percent') return `${(value * 100).toFixed(2)}%`
  if (format === 'ratio') return value.toFixed(2)
  return String(value)
}

/** A value of the wire as a number of a spreadsheet: yuan, and shares of one; null where it is not known. */
export function exportedNumber(format: NumberFormat, value: number | null): number | null {
  if (value === null) return null
  return format === 'money' ? Number(yuanText(value)) : value
}

/** A value in a row, null where it is not known. */
export const valueIn = (row: Partial<Record<ValueKey, number | null>>, key: ValueKey): number | null => row[key] ?? null
