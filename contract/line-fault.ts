import { canonicalLine, type IdentifierType, identifierOf } from './identifier.ts'
import { type Outcome, outcome } from './outcome.ts'

/** Why a line is malformed; null when it is a value of the type. An empty line is malformed too, since it counts as a line. */
export function lineFault(type: IdentifierType, line: string): Outcome | null {
  const text = canonicalLine(type, line)
  if (text === '') return outcome('line_empty')
  return identifierOf('crowd', type, text) === null ? outcome('line_malformed', { type }) : null
}
