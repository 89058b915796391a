import { IDENTIFIERS, type IdentifierType } from './identifier.ts'

/** How many characters of a plain identifier are shown at each end; of a shorter one a quarter. */
const ENDS = 4
const HIDDEN = '****'

/**
 * An identifier as everyone may see it. Nothing of a hash: a masked phone beside it leaves 10,000 numbers to try, and the
 * last four characters of two hashes tell which one it is.
 */
export function maskedIdentifier(type: IdentifierType, text: string): string {
  if (IDENTIFIERS[type].form !== 'plain') return HIDDEN
  const shown = Math.min(ENDS, Math.floor(text.length / 4))
  return shown === 0 ? HIDDEN : text.slice(0, shown) + HIDDEN + text.slice(-shown)
}
