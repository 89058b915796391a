import type { IdentifierType } from '#contract/identifier.ts'
import { quote } from '../clickhouse/bind.ts'
import { sealSql } from '../identifiers/seal.ts'

const md5 = (text: string) => `lower(hex(MD5(${text})))`
const sha256 = (text: string) => `lower(hex(SHA256(${text})))`

interface Form {
  id_type: string
  value: string
}
interface Meaning {
  /** A condition on the trimmed cell. */
  isValid: string
  /** What is stored of a valid cell: every form that can be made of it. */
  forms: Form[]
}

const HEX = (length: number) => `^[0-9a-f]{${length}}$`
const matches = (text: string, pattern: string) => `match(${text}, ${quote(pattern)})`

/** A plain value is kept encrypted, beside its hashes. */
const plain = (id_type: string, text: string, key: Buffer): Form => ({ id_type, value: sealSql(text, key) })

/** Formats of identifiers; a hash given in upper case is stored in lower case. */
export function identifierMeaning(type: IdentifierType | 'MOBILE_PHONE', cell: string, key: Buffer): Meaning {
  const lower = `lower(${cell})`
  const hashed = (name: string): Meaning => ({
    isValid: matches(lower, HEX(32)),
    forms: [{ id_type: `HASH_${name}`, value: lower }],
  })
  const twice = (name: string): Form => ({ id_type: `MD5_SHA256_${name}`, value: sha256(lower) })
  const device = (name: string, text: string, pattern: string): Meaning => ({
    isValid: matches(text, pattern),
    forms: [
      plain(name, text, key),
      { id_type: `HASH_${name}`, value: md5(text) },
      { id_type: `MD5_SHA256_${name}`, value: sha256(md5(text)) },
    ],
  })
  switch (type) {
    case 'IDFA':
      return device('IDFA', `upper(${cell})`, '^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$')
    case 'IMEI':
      return device('IMEI', cell, '^([0-9]{14,15}|[0-9a-z]{14,15})$')
    case 'OAID':
      return device('OAID', cell, '^[!-~]{1,64}$')
    case 'MAC':
      return {
        isValid: matches(cell, '^[0-9A-F]{2}(:[0-9A-F]{2}){5}$'),
        forms: [plain('MAC', cell, key), { id_type: 'HASH_MAC', value: md5(`replaceAll(${cell}, ':', '')`) }],
      }
    case 'QQ':
      return {
        isValid: matches(cell, '^[0-9]{5,12}$'),
        forms: [plain('QQ', cell, key), { id_type: 'HASH_QQ', value: md5(cell) }],
      }
    case 'MOBILE_PHONE':
      return {
        isValid: matches(cell, '^[0-9]{11}$'),
        forms: [
          { id_type: 'HASH_MOBILE_PHONE', value: md5(cell) },
          { id_type: 'SHA256_MOBILE_PHONE', value: sha256(cell) },
        ],
      }
    case 'HASH_IDFA':
    case 'HASH_IMEI':
    case 'HASH_OAID': {
      const name = type.slice('HASH_'.length)
      const meaning = hashed(name)
      return { ...meaning, forms: [...meaning.forms, twice(name)] }
    }
    case 'HASH_MAC':
    case 'HASH_MOBILE_PHONE':
    case 'HASH_QQ':
      return hashed(type.slice('HASH_'.length))
    case 'MD5_SHA256_IDFA':
    case 'MD5_SHA256_IMEI':
    case 'MD5_SHA256_OAID':
    case 'SHA256_MOBILE_PHONE':
      return { isValid: matches(lower, HEX(64)), forms: [{ id_type: type, value: lower }] }
  }
}
