import { IDENTIFIERS, type IdentifierSubject, type IdentifierType } from '#contract/identifier.ts'
import { quote } from '../../clickhouse/bind.ts'
import { sealSql } from '../../ingest/seal.ts'
import type { SendForm } from '../../platforms/audience-platform.ts'

const md5 = (text: string) => `lower(hex(MD5(${text})))`
const sha256 = (text: string) => `lower(hex(SHA256(${text})))`

/** What can be made of what, one after the other; forms of one subject that stand in different chains cannot be compared. */
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

/** Text of one type as text of another that stands at the same place of its chain or later. */
export function deriveSql(from: IdentifierType, to: IdentifierType, text: string): string {
  const chain = chainOf(from)
  let made = text
  for (let at = chain.indexOf(from); at < chain.indexOf(to); at++) {
    made = at === 0 ? hashSql(IDENTIFIERS[from].subject, made) : sha256(made)
  }
  return made
}

/** The form in which values of two types are compared: the later one of their chain. */
export function meetingForm(one: IdentifierType, other: IdentifierType): IdentifierType {
  const chain = chainOf(one)
  return chain.indexOf(one) >= chain.indexOf(other) ? one : other
}

/** How a value is kept in our own tables: a hash as its bytes, plain text encrypted, one text always alike. */
export const storedSql = (type: IdentifierType, text: string, key: Buffer) =>
  isPlain(type) ? sealSql(text, key) : `unhex(${text})`

/** The text of what `storedSql` wrote. */
export const textSql = (type: IdentifierType, stored: string, key: Buffer) =>
  isPlain(type) ? unsealSql(stored, key) : `lower(hex(${stored}))`

export const unsealSql = (sealed: string, key: Buffer) =>
  `decrypt('aes-256-gcm', substring(base64Decode(${sealed}), 13), unhex(${quote(key.toString('hex'))}), substring(base64Decode(${sealed}), 1, 12))`

/** A value as the platform takes it. */
export function sentSql(transform: SendForm['transform'], text: string): string {
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
