import { keysOf } from '../common.ts'
import { cellUnitOf } from './metric-cell.ts'
import { REPORTED, type ReportedKey } from './metrics.ts'
import { MICROS_PER_FEN } from './money.ts'

/** What is odd about a day of an activity's reports. */
export const DAY_MARKS = {
  unsynced: '未同步',
  corrected: '平台修正',
  jump: '异常波动',
} as const

/** The first and the last day of a plan, YYYY-MM-DD; null where it has none. */
interface Dated {
  start_date: string | null
  end_date: string | null
}

/**
 * Whether a day is one of an activity's: between the first day of its plans and the last one; open where a plan leaves it
 * open. On such a day the numbers of the activity are whole only once the accounts of all its plans were read, also of a
 * plan that is to start later here: it names a plan that may have run on its platform before, and what that did counts for
 * the activity whatever the dates here.
 */
export const isCovered = (plans: readonly Dated[], date: string): boolean =>
  plans.some(({ start_date }) => start_date === null || start_date <= date) &&
  plans.some(({ end_date }) => end_date === null || end_date >= date)

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

/** Days before a day with which it is compared, and how many of them must be known. */
export const JUMP_DAYS = 7
const KNOWN_LEAST = 4
/** A day is odd when it has more than so many times what is usual, or less than that part of it … */
const TIMES = 3n
/** … and is more than this away from it, so that small numbers may change; the cost is in millionths of a yuan. */
const APART = {
  cost: 100_000_000n,
  imp_pv: 10_000n,
  click_pv: 200n,
  covert_cnt: 20n,
} as const satisfies Cells
/** The metrics whose jumps are marked. */
export type JumpKey = keyof typeof APART
export const JUMP_KEYS = keysOf(APART)

/** What is usual, from which a day jumps: the median of the days before, of which four must be known. Null where it does not. */
export function jumpOf(key: JumpKey, value: bigint, before: readonly (bigint | null)[]): bigint | null {
  if (!isFarFromHalf(value, before)) return null
  const known = before.flatMap((one) => one ?? []).toSorted((one, other) => (one < other ? -1 : Number(one > other)))
  if (known.length < KNOWN_LEAST) return null
  const low = known[Math.floor((known.length - 1) / 2)] ?? 0n
  const high = known[Math.floor(known.length / 2)] ?? 0n
  const usual = (low + high) / 2n
  const apart = value > usual ? value - usual : usual - value
  if (apart <= APART[key]) return null
  return value > usual * TIMES || value * TIMES < usual ? usual : null
}

/** Whether half of the days, or more, are so far away that their median may be; the rest need no sorting. */
function isFarFromHalf(value: bigint, before: readonly (bigint | null)[]): boolean {
  const [part, multiple] = [value / TIMES, value * TIMES]
  let [known, less, more] = [0, 0, 0]
  for (const one of before) {
    if (one === null) continue
    known++
    if (one <= part) less++
    else if (one > multiple) more++
  }
  return less * 2 >= known || more * 2 >= known
}
