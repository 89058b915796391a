import { IDENTIFIERS, type IdentifierSubject, type IdentifierType, type ImportedType } from '#contract/identifier.ts'
import { isIdentifierSql, normalisedSql } from './identifier-sql.ts'
import { sealSql, unsealedSql } from './seal.ts'

const md5 = (text: string) => `lower(hex(MD5(${text})))`
const sha256 = (text: string) => `lower(hex(SHA256(${text})))`

/** Each type can be derived from the one before it in its chain; types of different chains cannot be compared. */
const CHAINS: readonly (readonly IdentifierType[])[] = [
  ['IDFA', 'HASH_IDFA', 'MD5_SHA256_IDFA'],
  ['IMEI', 'HASH_IMEI', 'MD5_SHA256_IMEI'],
  ['OAID', 'HASH_OAID', 'MD5_SHA256_OAID'],
  ['MAC', 'HASH_MAC'],
  ['HASH_MOBILE_PHONE'],
  ['SHA256_MOBILE_PHONE'],
  ['QQ', 'HASH_QQ'],
]

const chainOf = (type: IdentifierType) => CHAINS.find((chain) => chain.includes(type)) ?? [type]

export const isPlain = (type: IdentifierType) => IDENTIFIERS[type].form === 'plain'

/** Types whose values can be compared with this one's. */
export const comparable = (type: IdentifierType): readonly IdentifierType[] => chainOf(type)

function hashSql(subject: IdentifierSubject, text: string): string {
  return md5(subject === 'MAC' ? `replaceAll(${text}, ':', '')` : text)
}

/** Derives the text of one type from another that is at the same or an earlier place of the chain. */
function deriveSql(from: IdentifierType, to: IdentifierType, text: string): string {
  const chain = chainOf(from)
  let made = text
  for (let at = chain.indexOf(from); at < chain.indexOf(to); at++) {
    made = at === 0 ? hashSql(IDENTIFIERS[from].subject, made) : sha256(made)
  }
  return made
}

/**
 * The texts of one type that a value is compared by. A plain OAID has two: what is hashed here is the original value, and
 * the video engine hashes it in lower case.
 */
export const comparedForms = (from: IdentifierType, to: IdentifierType, text: string): string[] =>
  from === 'OAID'
    ? [text, `lower(${text})`].map((written) => deriveSql(from, to, written))
    : [deriveSql(from, to, text)]

/** As a column: a row for each of the texts. */
export const formRowsSql = (forms: readonly string[]): string =>
  forms.length === 1 ? (forms[0] as string) : `arrayJoin([${forms.join(', ')}])`

interface ImportedIdentifier {
  /** A condition on the cell, which is already trimmed. */
  isValid: string
  /** The stored values of a valid cell: one for each form that can be derived, plain ones encrypted. */
  forms: { id_type: IdentifierType; value: string }[]
}

/** The stored values of a phone of eleven digits. */
export const phoneForms = (digits: string): ImportedIdentifier['forms'] => [
  { id_type: 'HASH_MOBILE_PHONE', value: md5(digits) },
  { id_type: 'SHA256_MOBILE_PHONE', value: sha256(digits) },
]

/** How an import checks and stores a cell. */
export function importedIdentifier(type: ImportedType, cell: string, key: Buffer): ImportedIdentifier {
  const isValid = isIdentifierSql('import', type, cell)
  const text = normalisedSql('import', type, cell)
  if (type === 'MOBILE_PHONE') return { isValid, forms: phoneForms(text) }
  const chain = chainOf(type)
  const forms = chain.slice(chain.indexOf(type)).map((id_type) => ({
    id_type,
    value: isPlain(id_type) ? sealSql(text, key) : deriveSql(type, id_type, text),
  }))
  return { isValid, forms }
}

/** A condition for a trimmed cell of an import: an identifier of somebody who was forgotten; null where it cannot be one. */
export function forgottenCell(
  type: ImportedType,
  cell: string,
  forgotten: { identifier(type: IdentifierType, text: string): string | null },
): string | null {
  const text = normalisedSql('import', type, cell)
  const forms = type === 'MOBILE_PHONE' ? phoneForms(text) : [{ id_type: type, value: text }]
  const conditions = forms
    .map(({ id_type, value }) => forgotten.identifier(id_type, value))
    .filter((condition) => condition !== null)
  if (conditions.length === 0) return null
  return `${cell} != '' AND ${isIdentifierSql('import', type, cell)} AND (${conditions.join(' OR ')})`
}

/** The form in which values of two types are compared: the later one in their chain. */
export function commonForm(one: IdentifierType, other: IdentifierType): IdentifierType {
  const chain = chainOf(one)
  return chain.indexOf(one) >= chain.indexOf(other) ? one : other
}

/** The text of an identifier of our people; imports store plain ones encrypted, as base64. */
export const personTextSql = (type: IdentifierType, kept: string, key: Buffer) =>
  isPlain(type) ? unsealedSql(`tryBase64Decode(${kept})`, key) : kept

/** How a stored value (lower-case hex, or the plain text) is converted for a platform. */
export type SendTransform = 'none' | 'md5' | 'md5_lower' | 'md5_no_colon'

/** A value in the form that the platform takes. */
export function sentSql(transform: SendTransform, text: string): string {
  switch (transform) {
    case 'none':
      return text
    case 'md5':
      return md5(text)
    case 'md5_lower':
      return md5(`lower(${text})`)
    case 'md5_no_colon':
      return md5(`replaceAll(${text}, ':', '')`)
  }
}
