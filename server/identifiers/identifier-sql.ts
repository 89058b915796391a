import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { quote } from '../clickhouse/bind.ts'
import { sealedBytesSql, unsealedSql } from './seal.ts'

/** How identifiers of a type are written in SQL: what is stored of a line's text, and that text again. */
export function identifierSql(type: IdentifierType, key: Buffer) {
  const { form } = IDENTIFIERS[type]
  const isPlain = form === 'plain'
  return {
    /** `text`: a good line as `canonicalLine` gives it, hashes in either case. */
    stored: (text: string) => (isPlain ? sealedBytesSql(text, key) : `unhex(${text})`),
    text: (stored: string) => (isPlain ? unsealedSql(stored, key) : `lower(hex(${stored}))`),
  }
}

/** Bytes of a stored hash; null where lengths differ. */
export const storedBytes = (type: IdentifierType): number | null =>
  ({ plain: null, md5: 16, sha256: 32, md5_sha256: 32 })[IDENTIFIERS[type].form]

/** What JavaScript's trim() takes away. */
const BLANKS = String.raw`\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
const trimmed = (text: string) => `replaceRegexpOne(${text}, ${quote(`(?s)^[${BLANKS}]*(.*?)[${BLANKS}]*$`)}, '\\\\1')`

/** `canonicalLine` in SQL, but for the case of an MD5. */
export function canonicalSql(line: string): string {
  const text = trimmed(line)
  const isQuoted = `(length(${text}) >= 2 AND startsWith(${text}, '"') AND endsWith(${text}, '"'))`
  return `if(${isQuoted}, ${trimmed(`substring(${text}, 2, length(${text}) - 2)`)}, ${text})`
}

const patternOf = (type: IdentifierType) => {
  const { source } = IDENTIFIERS[type].format
  return IDENTIFIERS[type].form === 'md5' ? `(?i)${source}` : source
}

/** Whether a canonical text is one of the type. */
const isGoodSql = (type: IdentifierType, text: string) => `match(${text}, ${quote(patternOf(type))})`

/** Whether a line is canonical and one of the type already, as most are. */
export function isPlainlyGoodSql(type: IdentifierType, line: string): string {
  const mayBeQuoted = IDENTIFIERS[type].format.test('""')
  return mayBeQuoted ? `(${isGoodSql(type, line)} AND NOT startsWith(${line}, '"'))` : isGoodSql(type, line)
}

/** Why a canonical text is none, as a number: 0 it is one, 1 there is nothing, 2 it is something else. */
export const faultSql = (type: IdentifierType, text: string) =>
  `multiIf(${isGoodSql(type, text)}, 0, ${text} = '', 1, 2)`
export const faultText = (type: IdentifierType, fault: number) => (fault === 1 ? '空行' : IDENTIFIERS[type].wants)

/** Values are compared bucket by bucket. */
const BUCKETS = 64
export const bucketSql = (stored: string) => `toUInt8(cityHash64(${stored}) % ${BUCKETS})`

/** Neighbouring buckets whose rows together are not too many. */
export function rangesOf(rows: readonly { bucket: number; n: number }[], atMost: number) {
  const ranges: { first: number; last: number; n: number }[] = []
  for (const { bucket, n } of rows) {
    const last = ranges.at(-1)
    if (last && last.n + n <= atMost) Object.assign(last, { last: bucket, n: last.n + n })
    else ranges.push({ first: bucket, last: bucket, n })
  }
  return ranges
}
