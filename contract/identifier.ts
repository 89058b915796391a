import { z } from 'zod'
import { keysOf } from './common.ts'
import type { IDENTIFIER_TYPES } from './identifier-types.ts'
import { PHONE, phoneOf } from './phone.ts'

/** How a value was hashed before it was stored. */
export type IdentifierForm = 'plain' | 'md5' | 'sha256' | 'md5_sha256'
export type IdentifierSubject = 'IDFA' | 'IMEI' | 'OAID' | 'MAC' | 'MOBILE_PHONE' | 'QQ'

/** Where values come from: lines of crowd files, or cells of imports. Each normalises letters as its specification says. */
export type Intake = 'crowd' | 'import'
export type LetterCase = 'lower' | 'upper'

interface Meaning {
  /** Its label in the console. */
  label: string
  description: string
  subject: IdentifierSubject
  form: IdentifierForm
  /** The pattern of a normalised value. Letters are written as ranges, such as `A-F`. */
  format: RegExp
  /** The case to which letters are converted before `format` is tested; an intake not named here leaves them unchanged. */
  normalise?: Partial<Record<Intake, LetterCase>>
  /** What `format` requires, used as the reason of a refusal. */
  wants: string
}

const MD5 = /^[0-9a-f]{32}$/
const HEX64 = /^[0-9a-f]{64}$/
const md5 = (label: string, subject: IdentifierSubject, of: string): Meaning => ({
  label,
  description: `${of}的 MD5，32 位，大小写均可`,
  subject,
  form: 'md5',
  format: MD5,
  normalise: { crowd: 'lower', import: 'lower' },
  wants: '应为 32 位十六进制字符',
})
const hex64 = (
  label: string,
  subject: IdentifierSubject,
  form: 'sha256' | 'md5_sha256',
  description: string,
): Meaning => ({
  label,
  description,
  subject,
  form,
  format: HEX64,
  normalise: { import: 'lower' },
  wants: '应为 64 位小写十六进制字符',
})

const hashedPhone = (hash: string, length: number) =>
  `应为手机号的 ${hash}（${length} 位十六进制字符）；明文手机号须在浏览器内加密后上传`

/** The 15 identifier types, by the wire's name. */
export const IDENTIFIERS = {
  IDFA: {
    label: 'IDFA',
    description: 'iOS 设备广告标识，32 位数字与大写字母，以横杠分隔（8-4-4-4-12）',
    subject: 'IDFA',
    form: 'plain',
    format: /^[0-9A-Z]{8}(-[0-9A-Z]{4}){3}-[0-9A-Z]{12}$/,
    normalise: { import: 'upper' },
    wants: '应为 8-4-4-4-12 的数字与大写字母',
  },
  HASH_IDFA: md5('IDFA-MD5', 'IDFA', '大写、带横杠的 IDFA '),
  MD5_SHA256_IDFA: hex64('IDFA-MD5_SHA256', 'IDFA', 'md5_sha256', 'IDFA 的 MD5（小写）再做 SHA256，64 位'),
  IMEI: {
    label: 'IMEI',
    description: '安卓设备标识，14 或 15 位数字，或数字与小写字母',
    subject: 'IMEI',
    form: 'plain',
    format: /^[0-9a-z]{14,15}$/,
    wants: '应为 14 或 15 位数字或小写字母',
  },
  HASH_IMEI: md5('IMEI-MD5', 'IMEI', '小写 IMEI '),
  MD5_SHA256_IMEI: hex64('IMEI-MD5_SHA256', 'IMEI', 'md5_sha256', 'IMEI 的 MD5（小写）再做 SHA256，64 位'),
  OAID: {
    label: 'OAID',
    description: '安卓匿名设备标识，保持原值，不转换大小写',
    subject: 'OAID',
    form: 'plain',
    format: /^[!-~]{1,64}$/,
    wants: '应为 1 到 64 个可见字符',
  },
  HASH_OAID: md5('OAID-MD5', 'OAID', '原值 OAID '),
  MD5_SHA256_OAID: hex64('OAID-MD5_SHA256', 'OAID', 'md5_sha256', 'OAID 的 MD5（小写）再做 SHA256，64 位'),
  MAC: {
    label: 'MAC',
    description: '设备 MAC 地址，六组大写十六进制，以冒号分隔',
    subject: 'MAC',
    form: 'plain',
    format: /^[0-9A-F]{2}(:[0-9A-F]{2}){5}$/,
    wants: '应为六组大写十六进制，以冒号分隔',
  },
  HASH_MAC: md5('MAC-MD5', 'MAC', '去掉冒号、大写的 MAC '),
  HASH_MOBILE_PHONE: { ...md5('手机号-MD5', 'MOBILE_PHONE', '11 位手机号'), wants: hashedPhone('MD5', 32) },
  SHA256_MOBILE_PHONE: {
    ...hex64('手机号-SHA256', 'MOBILE_PHONE', 'sha256', '11 位手机号的 SHA256，64 位'),
    wants: hashedPhone('SHA256', 64),
  },
  QQ: {
    label: 'QQ',
    description: 'QQ 号，5 到 12 位数字',
    subject: 'QQ',
    form: 'plain',
    format: /^[0-9]{5,12}$/,
    wants: '应为 5 到 12 位数字',
  },
  HASH_QQ: md5('QQ-MD5', 'QQ', 'QQ 号'),
} as const satisfies Record<(typeof IDENTIFIER_TYPES)[number], Meaning>

export type IdentifierType = keyof typeof IDENTIFIERS
export const IdentifierType = z.enum(keysOf(IDENTIFIERS)).meta({
  id: 'IdentifierType',
  description: `标识类型：${Object.entries(IDENTIFIERS)
    .map(([type, { label }]) => `${type} ${label}`)
    .join('，')}`,
})

/** Types that a column of an import may have. */
export type ImportedType = IdentifierType | 'MOBILE_PHONE'

/** The pattern of a type, and the case to which an intake converts letters; null: none. */
export function formatOf(intake: Intake, type: ImportedType): { format: RegExp; letterCase: LetterCase | null } {
  if (type === 'MOBILE_PHONE') return { format: PHONE, letterCase: null }
  const { format, normalise }: Meaning = IDENTIFIERS[type]
  return { format, letterCase: normalise?.[intake] ?? null }
}

/** The normalised identifier of a text; null when it is not one. `text` has no blanks or quotes around it. */
export function identifierOf(intake: Intake, type: ImportedType, text: string): string | null {
  if (type === 'MOBILE_PHONE') return phoneOf(text)
  const { format, letterCase } = formatOf(intake, type)
  return matching(format, inCase(letterCase, text))
}

/**
 * A line of a crowd's file in the form that is compared: surrounding blanks, csv quotes and a byte-order mark are
 * removed, then letters are normalised.
 */
export function canonicalLine(type: IdentifierType, line: string): string {
  return inCase(formatOf('crowd', type).letterCase, unquotedLine(line))
}

/** The normalised identifier of a line of a crowd's file; null when it is none. */
export const identifierLineOf = (type: IdentifierType, line: string): string | null =>
  identifierOf('crowd', type, canonicalLine(type, line))

function unquotedLine(line: string): string {
  const text = line.replace(/^\uFEFF/, '').trim()
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).trim() : text
}

/** The raw form of a value before hashing; a raw phone is not a type of its own. */
export type RawForm = IdentifierSubject

/** The pattern of each kind of raw value before it is hashed. */
const rawFormat = (form: RawForm): RegExp => (form === 'MOBILE_PHONE' ? PHONE : IDENTIFIERS[form].format)

/** Normalises a raw value of any case or separators before hashing; null when it is not one. */
const RAW: Record<RawForm, { label: string; normal: (text: string) => string | null }> = {
  IDFA: { label: 'IDFA 明文', normal: (text) => matching(rawFormat('IDFA'), inCase('upper', text)) },
  IMEI: { label: 'IMEI 明文', normal: (text) => matching(rawFormat('IMEI'), inCase('lower', text)) },
  OAID: { label: 'OAID 明文', normal: (text) => matching(rawFormat('OAID'), text) },
  MAC: {
    label: 'MAC 明文',
    normal: (text) => matching(MAC_SEPARATED, inCase('upper', text))?.replace(/[:-]/g, '') ?? null,
  },
  MOBILE_PHONE: { label: '手机号明文', normal: phoneOf },
  QQ: { label: 'QQ 号明文', normal: (text) => matching(rawFormat('QQ'), text) },
}
const MAC_SEPARATED = /^[0-9A-F]{2}([:-]?)[0-9A-F]{2}(\1[0-9A-F]{2}){4}$/
/** Changes ASCII letters only: identifiers have no others, and the engine does not change others either. */
function inCase(letterCase: LetterCase | null, text: string): string {
  if (letterCase === null) return text
  return letterCase === 'upper'
    ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
    : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
const matching = (format: RegExp, text: string) => (format.test(text) ? text : null)

/** The raw form from which values of a type are made; null for a type that is raw itself. */
export const rawFormOf = (type: IdentifierType): RawForm | null =>
  IDENTIFIERS[type].form === 'plain' ? null : IDENTIFIERS[type].subject

/** The label of a raw form on the screens. */
export const rawLabel = (form: RawForm): string => RAW[form].label

export type RawLine =
  /** A raw value; `text` is its normalised form, which is hashed. `isNormalised`: it was written in another form. */
  | { kind: 'raw'; text: string; isNormalised: boolean }
  /** The line is already a value of the type. */
  | { kind: 'already' }
  | { kind: 'malformed' }

/** Whether raw values of a type can look like its hashes; then only who has the file knows which they are. */
export const looksLikeItsHash = (type: IdentifierType): boolean => rawFormOf(type) === 'OAID'

/** Classifies a line for the conversion of raw values into a hashed type. `allRaw`: no line is taken as a hash. */
export function rawLine(type: IdentifierType, line: string, allRaw = false): RawLine {
  const text = unquotedLine(line)
  // An OAID may be any text, so only lower case counts as a hash.
  const isAlready =
    !allRaw && (type === 'HASH_OAID' ? IDENTIFIERS[type].format.test(text) : identifierOf('crowd', type, text) !== null)
  if (isAlready) return { kind: 'already' }
  const form = rawFormOf(type)
  const raw = form && RAW[form].normal(text)
  return raw ? { kind: 'raw', text: raw, isNormalised: raw !== text } : { kind: 'malformed' }
}
