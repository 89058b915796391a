import { cellUnitOf } from './metric-cell.ts'
import { REPORTED, type ReportedKey } from './metrics.ts'
import { MICROS_PER_FEN } from './money.ts'

/** What is odd about a day of an activity's reports. */
export const DAY_MARKS = {
  unsynced: '未同步',
  corrected: '平台修正',
  jump: '异常波动',
} as const

type Cells = Partial<Record<ReportedKey, bigint>>

/**
 * The first metric that a later reading of a day changed by more than rounding: counts by one, amounts by a fen. A metric
 * that only one of the two has is no change: the platform offers it now, or no longer.
 */
export function correctionOf(before: Cells, after: Cells): { key: ReportedKey; before: bigint; after: bigint } | null {
  for (const key of REPORTED) {
    const [one, other] = [before[key], after[key]]
    if (one === undefined || other === undefined) continue
    const apart = one > other ? one - other : other - one
    if (apart >= (cellUnitOf(key) === 'micros' ? MICROS_PER_FEN : 1n)) return { key, before: one, after: other }
  }
  return null
}

/** Days before a day with which its cost is compared, and how many of them must be known. */
export const JUMP_DAYS = 7
const KNOWN_LEAST = 4
/** A cost is odd when it is more than so many times the usual one, or less than that part of it … */
const TIMES = 3n
/** … and more than 100 yuan away from it, in millionths of a yuan. */
const APART_MICROS = 100_000_000n

/**
 * The usual cost from which a day's cost jumps: the median of the seven days before, of which four must be known. Null
 * where it does not jump. All in millionths of a yuan.
 */
export function jumpOf(cost: bigint, before: readonly (bigint | null)[]): bigint | null {
  const known = before.flatMap((one) => one ?? []).toSorted((one, other) => (one < other ? -1 : Number(one > other)))
  if (known.length < KNOWN_LEAST) return null
  const low = known[Math.floor((known.length - 1) / 2)] ?? 0n
  const high = known[Math.floor(known.length / 2)] ?? 0n
  const usual = (low + high) / 2n
  const apart = cost > usual ? cost - usual : usual - cost
  if (apart <= APART_MICROS) return null
  return cost > usual * TIMES || cost * TIMES < usual ? usual : null
}
