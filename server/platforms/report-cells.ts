import { z } from 'zod'
import { CELL_MAX, cellUnitOf } from '#contract/activity/metric-cell.ts'
import type { ReportedKey } from '#contract/activity/metrics.ts'
import { MICROS_PER_YUAN, rounded } from '#contract/activity/money.ts'
import type { ReportCells } from './report-platform.ts'

/** How many of the platform's units a yuan has: 1 where it writes yuan, 100 where it writes fen. */
export type PerYuan = 1 | 100 | 100_000

/** The platform's field of each metric that it reports. */
export type ReportFields = Partial<Record<ReportedKey, string>>

/** A cell as the answer has it. JSON numbers of more digits than a double holds are text. */
export const WireCells = z.record(z.string(), z.unknown())

const DECIMAL = /^([-+]?)(\d{1,20})(?:\.(\d{0,20}))?(?:[eE]([-+]?\d{1,2}))?$/
/** How platforms write that they have no value. */
const NONE: readonly unknown[] = [undefined, null, '', '-', '--']

/** A cell that is no number, or larger than any true one. */
export class UnreadableCell extends Error {}

/** The exact value of a decimal, as a fraction of a power of ten. */
function decimal(value: unknown): { digits: bigint; under: bigint } {
  const [, sign = '', whole, fraction = '', exponent = '0'] = DECIMAL.exec(String(value)) ?? []
  if (whole === undefined) throw new UnreadableCell(`no number: ${String(value)}`)
  const size = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  const places = fraction.length - Number(exponent)
  return places >= 0
    ? { digits: size, under: 10n ** BigInt(places) }
    : { digits: size * 10n ** BigInt(-places), under: 1n }
}

/** A cell in the metric's own unit; null where the platform has no value. Throws UnreadableCell. */
export function readCell(key: ReportedKey, value: unknown, perYuan: PerYuan): bigint | null {
  if (NONE.includes(value)) return null
  if (typeof value !== 'number' && typeof value !== 'string') throw new UnreadableCell(`${key} is a ${typeof value}`)
  const { digits, under } = decimal(value)
  const isMoney = cellUnitOf(key) === 'micros'
  if (!isMoney && digits % under !== 0n) throw new UnreadableCell(`${key} is no whole number: ${value}`)
  const read = isMoney ? rounded({ over: digits * MICROS_PER_YUAN, under: under * BigInt(perYuan) }) : digits / under
  if (read > CELL_MAX || read < -CELL_MAX) throw new UnreadableCell(`${key} is too large: ${value}`)
  return read
}

/** The metrics of a row by the platform's fields. */
export function readCells(fields: ReportFields, cells: Record<string, unknown>, perYuan: PerYuan): ReportCells {
  const read: ReportCells = {}
  for (const [key, name] of Object.entries(fields) as [ReportedKey, string][]) {
    const value = readCell(key, cells[name], perYuan)
    if (value !== null) read[key] = value
  }
  return read
}
