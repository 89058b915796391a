import { formatOf, IDENTIFIERS, type IdentifierType, type ImportedType, type Intake } from '#contract/identifier.ts'
import { MARK_FAULTS, markedOutcome } from '#contract/line-mark.ts'
import { type Outcome, outcome } from '#contract/outcome.ts'
import { DECIMAL_PHONE, FULL_WIDTH, PHONE, PHONE_NOISE, PHONE_TEXT_MAX, PHONE_WITH_CODE } from '#contract/phone.ts'
import { quote } from '../clickhouse/bind.ts'
import { sealedBytesSql, unsealedSql } from './seal.ts'

/** SQL from the text of a crowd's identifier to its stored bytes, and back. */
export function identifierSql(type: IdentifierType, key: Buffer) {
  const { form } = IDENTIFIERS[type]
  const isPlain = form === 'plain'
  return {
    /** `text`: a valid line without blanks and quotes; its letters need not be normalised. */
    stored: (text: string) => (isPlain ? sealedBytesSql(normalisedSql('crowd', type, text), key) : `unhex(${text})`),
    text: (stored: string) => (isPlain ? unsealedSql(stored, key) : `lower(hex(${stored}))`),
  }
}

/** Bytes of a stored hash; null for plain types, whose lengths differ. */
export const storedBytes = (type: IdentifierType): number | null =>
  ({ plain: null, md5: 16, sha256: 32, md5_sha256: 32 })[IDENTIFIERS[type].form]

/** The characters that JavaScript's trim() removes. */
const BLANKS = String.raw`\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
const trimmed = (text: string) => `replaceRegexpOne(${text}, ${quote(`(?s)^[${BLANKS}]*(.*?)[${BLANKS}]*$`)}, '\\\\1')`

/** `canonicalLine` in SQL, except for the case of letters. */
export function canonicalSql(line: string): string {
  const text = trimmed(line)
  const isQuoted = `(length(${text}) >= 2 AND startsWith(${text}, '"') AND endsWith(${text}, '"'))`
  // Most lines that are not canonical are blank, and need none of the rest.
  const isBlank = `match(${line}, ${quote(`^[${BLANKS}]*$`)})`
  return `multiIf(${isBlank}, '', ${isQuoted}, ${trimmed(`substring(${text}, 2, length(${text}) - 2)`)}, ${text})`
}

/** Matches letters in both cases, which saves a copy of the text in one case. */
const inEitherCase = (pattern: string) =>
  pattern.replace(/([a-z])-([a-z])/gi, (range) => range.toLowerCase() + range.toUpperCase())

/** `phoneOf` in SQL; '' where it is null. */
function phoneSql(text: string): string {
  const narrow = `translateUTF8(${text}, ${quote(FULL_WIDTH.from)}, ${quote(FULL_WIDTH.to)})`
  const whole = `replaceRegexpOne(${narrow}, ${quote(DECIMAL_PHONE)}, ${quote(String.raw`\1`)})`
  const digits = `extract(replaceRegexpAll(${whole}, ${quote(PHONE_NOISE)}, ''), ${quote(PHONE_WITH_CODE)})`
  return `multiIf(match(${text}, ${quote(PHONE.source)}), ${text}, lengthUTF8(${text}) > ${PHONE_TEXT_MAX}, '', ${digits})`
}

/** `identifierOf` in SQL: whether a text is a value of the type; its letters need not be normalised. */
export function isIdentifierSql(intake: Intake, type: ImportedType, text: string): string {
  if (type === 'MOBILE_PHONE') return `(${phoneSql(text)} != '')`
  const { format, letterCase } = formatOf(intake, type)
  return `match(${text}, ${quote(letterCase === null ? format.source : inEitherCase(format.source))})`
}

/** A text of the type with its letters as `identifierOf` gives them. */
export function normalisedSql(intake: Intake, type: ImportedType, text: string): string {
  if (type === 'MOBILE_PHONE') return phoneSql(text)
  const { letterCase } = formatOf(intake, type)
  return letterCase === null ? text : `${letterCase}(${text})`
}

/** Whether a line is already canonical and a value of the type, as most lines are. */
export function isCanonicalSql(type: IdentifierType, line: string): string {
  const isGood = isIdentifierSql('crowd', type, line)
  return IDENTIFIERS[type].format.test('""') ? `(${isGood} AND NOT startsWith(${line}, '"'))` : isGood
}

/**
 * Why a canonical text is not a value of the type, as a number: 0 it is one, 1 it is empty, 2 it is malformed. `isMarked`:
 * the lines come from a text in which marks stand for lines; a mark has its own number.
 */
export function faultSql(type: IdentifierType, text: string, isMarked = false): string {
  const marks = Object.entries(MARK_FAULTS).map(([mark, fault]) => `${text} = ${quote(mark)}, ${fault}, `)
  return `multiIf(${isIdentifierSql('crowd', type, text)}, 0, ${text} = '', 1, ${isMarked ? marks.join('') : ''}2)`
}
export function faultOutcome(type: IdentifierType, fault: number): Outcome {
  if (fault > 2) return markedOutcome(type, fault)
  return fault === 1 ? outcome('line_empty') : outcome('line_malformed', { type })
}

/** Values are compared bucket by bucket. */
const BUCKETS = 64
export const bucketSql = (stored: string) => `toUInt8(cityHash64(${stored}) % ${BUCKETS})`

/** Groups neighbouring buckets that together have at most `atMost` rows. */
export function rangesOf(rows: readonly { bucket: number; n: number }[], atMost: number) {
  const ranges: { first: number; last: number; n: number }[] = []
  for (const { bucket, n } of rows) {
    const last = ranges.at(-1)
    if (last && last.n + n <= atMost) Object.assign(last, { last: bucket, n: last.n + n })
    else ranges.push({ first: bucket, last: bucket, n })
  }
  return ranges
}
