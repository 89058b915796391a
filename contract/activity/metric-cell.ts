import { type ReportedKey, unitOf } from './metrics.ts'
import { MICROS_PER_YUAN } from './money.ts'

/** The largest value of a cell: a billion yuan in millionths, or as many of anything else. Sums are kept in 128 bits. */
export const CELL_MAX = 10n ** 15n

/** How reports write that they have no value. */
export const NO_VALUE = ['', '-', '--'] as const

/** Characters of numbers that Chinese keyboards write wide, and what they stand for. */
export const WIDE = { from: '０１２３４５６７８９，．－＋', to: '0123456789,.-+' } as const

/**
 * A number in a cell, with what is wide made narrow: a sign, digits with or without separators at the thousands, and a
 * fraction. Amounts may name their currency, and need no digit before the point. The same pattern is used in SQL.
 */
const DIGITS = '([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)'
export const CELL_PATTERNS = {
  whole: `^([-+]?)${DIGITS}(?:[.](0*))?$`,
  micros: `^([-+]?)(?:[¥￥] ?)?(?:${DIGITS}(?:[.]([0-9]*))?|[.]([0-9]+))(?: ?元)?$`,
} as const
export type CellUnit = keyof typeof CELL_PATTERNS

export const cellUnitOf = (key: ReportedKey): CellUnit => (unitOf(key) === 'micros' ? 'micros' : 'whole')

/** More digits before the point than the largest value has. */
export const CELL_DIGITS_MAX = { whole: 16, micros: 10 } as const satisfies Record<CellUnit, number>
/** Digits of a yuan's fraction that are kept; the next one rounds. */
export const FRACTION_DIGITS = 6

export type CellFault = 'unreadable' | 'negative' | 'too_large'

/** The value in a cell in its unit, null where it has none; or why it is refused. Money is rounded to millionths of a yuan. */
export function readCell(unit: CellUnit, cell: string): bigint | null | CellFault {
  const text = narrow(cell.trim())
  if ((NO_VALUE as readonly string[]).includes(text)) return null
  const found = new RegExp(CELL_PATTERNS[unit], 'u').exec(text)
  if (!found) return 'unreadable'
  const [, sign = '', grouped = '', after = '', alone = ''] = found
  const fraction = after || alone
  const digits = grouped.replaceAll(',', '').replace(/^0+/, '')
  if (digits.length > CELL_DIGITS_MAX[unit]) return sign === '-' ? 'negative' : 'too_large'
  const value = unit === 'whole' ? BigInt(digits || '0') : micros(digits, fraction)
  if (sign === '-' && value > 0n) return 'negative'
  return value > CELL_MAX ? 'too_large' : value
}

/** A number with what is wide made narrow. */
export const narrow = (text: string): string =>
  text.replace(/[０-９，．－＋]/gu, (char) => WIDE.to.charAt(WIDE.from.indexOf(char)))

function micros(digits: string, fraction: string): bigint {
  const padded = fraction.padEnd(FRACTION_DIGITS + 1, '0')
  const below = BigInt(padded.slice(0, FRACTION_DIGITS)) + (padded.charAt(FRACTION_DIGITS) >= '5' ? 1n : 0n)
  return BigInt(digits || '0') * MICROS_PER_YUAN + below
}
