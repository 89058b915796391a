import { IDENTIFIERS, type IdentifierType } from './identifier.ts'

/** How many characters of a plain identifier are shown at each end; of a shorter one a quarter. */
const ENDS = 4
const HIDDEN = '****'

/**
 * An identifier as everyone may see it. Of a hash only its last characters: more of them would tell which of the few
 * possible phones it is.
 */
export function maskedIdentifier(type: IdentifierType, text: string): string {
  if (IDENTIFIERS[type].form !== 'plain') return HIDDEN + text.slice(-ENDS)
  const shown = Math.min(ENDS, Math.floor(text.length / 4))
  return shown === 0 ? HIDDEN : text.slice(0, shown) + HIDDEN + text.slice(-shown)
}
