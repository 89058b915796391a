import type { AnyOutcome } from '../outcomes/entry.ts'
import { outcome } from '../outcomes/make.ts'

/** The most activities of one comparison. */
export const COMPARED_MAX = 11

/** Why these many activities cannot be compared. */
export function compareFault(count: number): AnyOutcome | null {
  if (count === 0) return outcome('compare_none')
  return count > COMPARED_MAX ? outcome('compare_too_many', { max: COMPARED_MAX }) : null
}
