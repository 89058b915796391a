import { countWords, shortCount } from '../size-words.ts'
import { budgetParts, type RowBudgets } from './budget.ts'
import type { MetricFormat } from './metrics.ts'

/** What is not known, or would be divided by zero. */
const UNKNOWN = '--'
type NumberFormat = Exclude<MetricFormat, 'text' | 'time'>

/** 1,234.50 of 123450 fen. */
function yuanWords(fen: number): string {
  const size = Math.abs(fen)
  const cents = String(size % 100).padStart(2, '0')
  return `${fen < 0 ? '-' : ''}${countWords(Math.floor(size / 100))}.${cents}`
}

/** A value of the wire in full: 1,289,682; 1,234.50; 12.35%; 3.20. */
export function metricWords(format: NumberFormat, value: number | null): string {
  if (value === null) return UNKNOWN
  if (format === 'money') return yuanWords(value)
  if (format === 'percent') return `${(value * 100).toFixed(2)}%`
  if (format === 'ratio') return value.toFixed(2)
  return countWords(value)
}

/** The same with large amounts shortened: 128.97万, 3.2亿. Use it only where the exact number is available too. */
export function shortMetricWords(format: NumberFormat, value: number | null): string {
  const whole = format === 'money' && value !== null ? value / 100 : value
  const isShort = format === 'count' || format === 'number' || format === 'money'
  if (whole === null || !isShort || Math.abs(whole) < 10_000) return metricWords(format, value)
  return shortCount(whole)
}

/** The budgets of a row, each with its kind: 500.00/日, 总 3,000.00. */
export function budgetWords(row: RowBudgets, say: typeof metricWords = metricWords): string[] {
  const { day, total } = budgetParts(row)
  if (day === null && total === null) return [UNKNOWN]
  return [
    ...(day === null ? [] : [`${say('money', day)}/日`]),
    ...(total === null ? [] : [`总 ${say('money', total)}`]),
  ]
}
