/**
 * Mobile numbers inside texts, as patterns that JavaScript, Postgres and ClickHouse read alike: characters stand for
 * themselves, and what may surround a number is added by whoever uses them.
 */

/** In front of a byte that an address writes as two characters of hex; %25 is a % that was encoded again. */
const BYTE = '%(?:25)*'
/** A digit whose value is one of `values`, such as `0-9`: plain, full-width, or as an address encodes either. */
const digitOf = (values: string) =>
  `(?:[${values}${values.replace(/[0-9]/g, wide)}]|${BYTE}(?:3|[Ee][Ff]${BYTE}[Bb][Cc]${BYTE}9)[${values}])`
const wide = (digit: string) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)

export const DIGIT = digitOf('0-9')
/** A character that is no digit. */
export const NO_DIGIT = '[^0-9０-９]'
/** A character of an address, such as a blank, whose code ends in digits that are none of the number's. */
export const ENCODED = `${BYTE}[0-9A-Fa-f]{2}`
/** The characters of LOOSE_GAP as addresses encode them; with others of their blocks, which no text has there. */
const ENCODED_GAP = `${BYTE}(?:09|2[027-9DdEeFf]|5[Ff]|[Cc]2${BYTE}(?:[Aa]0|[Bb]7)|[Ee]2${BYTE}8[01]${BYTE}[89A-Fa-f][0-9A-Fa-f]|[Ee]3${BYTE}80${BYTE}80|[Ee][Ff]${BYTE}(?:[Bb][Bb]${BYTE}[Bb][Ff]|[Bb][Cc]${BYTE}8[89DdEe]))`
/** What people write between the groups of a number; an address may have + in place of a blank. */
const GAP = `(?:[ \u00a0\u3000.·•－–—．+-]|${ENCODED_GAP}){0,2}`
/**
 * What stands between any two digits of a number that begins as a mobile number does: at least what an import leaves out
 * of a phone (`PHONE_NOISE`), or a text would show in full what the same text's phone column masks.
 */
const LOOSE_GAP = `(?:[ \t\u00a0\u2000-\u200f\u202a-\u202f\u205f\u3000\ufeff()（）/_"'’.·•－‐‑‒–—―．+-]|${ENCODED_GAP}){0,3}`

const ZERO = digitOf('0')
const ONE = digitOf('1')
const digits = (count: number) => `${DIGIT}{${count}}`
const loose = (count: number) => `${LOOSE_GAP}${DIGIT}`.repeat(count)

/** The country's code, or the zero that some systems put before a number. */
export const PHONE_PREFIX = `(?:(?:[+＋]|${BYTE}2[Bb])?(?:${ZERO}{2})?${digitOf('8')}${digitOf('6')}|${ZERO})${LOOSE_GAP}`
/** Numbers in groups, then numbers with something between any of their digits; each as first, hidden and last digits. */
export const PHONE_SPELLINGS = [
  { first: `${ONE}${digits(2)}`, hidden: `${GAP}${digits(4)}${GAP}`, last: digits(4) },
  { first: `${ONE}${digits(2)}`, hidden: `${DIGIT}${GAP}${digits(3)}`, last: `${DIGIT}${GAP}${digits(3)}` },
  { first: `${ONE}${LOOSE_GAP}${digitOf('3-9')}${loose(1)}`, hidden: loose(4), last: loose(4) },
] as const

const anySpelling = PHONE_SPELLINGS.map(({ first, hidden, last }) => `${first}${hidden}${last}`).join('|')
/** A number with its prefix, as two groups. Wants a text without digits on both sides. */
export const PHONE_RUN = `(${PHONE_PREFIX})?(${anySpelling})`
