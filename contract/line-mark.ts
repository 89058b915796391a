import type { IdentifierType } from './identifier.ts'
import { type Outcome, outcome } from './outcome.ts'

/** Begins a line that stands for another one, which is not given. No identifier and no readable text begins with it. */
const MARK = '\u001f'
/** The column names of a file: not counted. */
export const HEADER_MARK = `${MARK}h`
/** A malformed line that stayed in the viewer's browser. */
export const WITHHELD_MARK = `${MARK}w`
/** A line that has no cell in the chosen column. */
export const MISSING_CELL_MARK = `${MARK}c`

/** The marks, by the number that the engine writes for each; 1 and 2 are faults of ordinary lines. */
export const MARK_FAULTS = { [HEADER_MARK]: 3, [WITHHELD_MARK]: 4, [MISSING_CELL_MARK]: 5 } as const
export const HEADER_FAULT = MARK_FAULTS[HEADER_MARK]
export const WITHHELD_FAULT = MARK_FAULTS[WITHHELD_MARK]
/** A valid line whose person was forgotten; the line itself is not kept. */
export const FORGOTTEN_FAULT = 6

/** Why a marked line is malformed. */
export function markedOutcome(type: IdentifierType, fault: number): Outcome {
  if (fault === MARK_FAULTS[MISSING_CELL_MARK]) return outcome('line_without_cell')
  if (fault === FORGOTTEN_FAULT) return outcome('line_forgotten')
  return type === 'HASH_MOBILE_PHONE' || type === 'SHA256_MOBILE_PHONE'
    ? outcome('line_malformed_phone', { type })
    : outcome('line_malformed', { type })
}
