/**
 * Mobile numbers inside texts, as patterns that JavaScript, Postgres and ClickHouse read alike: characters stand for
 * themselves, and what may surround a number is added by whoever uses them.
 */
export const DIGIT = '[0-9０-９]'
export const NO_DIGIT = '[^0-9０-９]'
/** A character of an address, such as a blank, whose code ends in digits that are none of the number's. */
export const ENCODED = '%[0-9A-Fa-f]{2}'
/** What people write between the groups of a number. */
const GAP = '[ \u00a0\u3000.·•－–—．-]{0,2}'
/** What stands between any two digits of a number that begins as a mobile number does. */
const LOOSE_GAP = "[ \u00a0\u2000-\u200f\u202f\u205f\u3000\ufeff()（）/_'’.·•－–—．-]{0,3}"

const digits = (count: number) => `${DIGIT}{${count}}`
const loose = (count: number) => `${LOOSE_GAP}${DIGIT}`.repeat(count)

/** The country's code, or the zero that some systems put before a number. */
export const PHONE_PREFIX = `(?:[+＋]?(?:86|８６)|0086|００８６|[0０])${LOOSE_GAP}`
/** Numbers in groups, then numbers with something between any of their digits; each as first, hidden and last digits. */
export const PHONE_SPELLINGS = [
  { first: `[1１]${digits(2)}`, hidden: `${GAP}${digits(4)}${GAP}`, last: digits(4) },
  { first: `[1１]${digits(2)}`, hidden: `${DIGIT}${GAP}${digits(3)}`, last: `${DIGIT}${GAP}${digits(3)}` },
  { first: `[1１]${LOOSE_GAP}[3-9３-９]${loose(1)}`, hidden: loose(4), last: loose(4) },
] as const

const anySpelling = PHONE_SPELLINGS.map(({ first, hidden, last }) => `${first}${hidden}${last}`).join('|')
/** A number with its prefix, as two groups. Wants a text without digits on both sides. */
export const PHONE_RUN = `(${PHONE_PREFIX})?(${anySpelling})`
