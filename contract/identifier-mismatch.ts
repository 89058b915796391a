import {
  canonicalLine,
  IDENTIFIERS,
  type IdentifierSubject,
  type IdentifierType,
  type ImportedType,
  identifierOf,
  rawLine,
} from './identifier.ts'
import { phoneOf } from './phone.ts'

interface Kind {
  label: string
  is(text: string): boolean
}
const isOf = (type: ImportedType, text: string) => identifierOf('import', type, text) !== null

/**
 * Kinds of lines, the more specific first: eleven digits may be a QQ number, but are usually a phone. They follow the
 * formats of the types, as imports normalise letters; conditions beside a format exclude what is usually something else.
 */
const LINE_KINDS = {
  columns: { label: '含多列的表格（每行应只有一个标识）', is: (text) => /^[^,\t]+[,\t]/.test(text) },
  phone: { label: '手机号（未加密）', is: (text) => phoneOf(text) !== null },
  idfa: { label: 'IDFA', is: (text) => IDENTIFIERS.IDFA.format.test(text) },
  uuid: { label: '小写的 IDFA 或 OAID', is: (text) => isOf('IDFA', text) },
  // MAC addresses are written in either case and with either separator.
  mac: { label: 'MAC', is: (text) => isOf('MAC', text.toUpperCase().replaceAll('-', ':')) },
  imei: { label: 'IMEI', is: (text) => isOf('IMEI', text) && /[0-9]/.test(text) },
  qq: { label: 'QQ', is: (text) => isOf('QQ', text) && !text.startsWith('0') },
  md5: { label: 'MD5（如 IMEI-MD5、IDFA-MD5、手机号-MD5）', is: (text) => isOf('HASH_IMEI', text) },
  hex64: {
    label: 'SHA256（如 手机号-SHA256，或 MD5_SHA256 双重加密）',
    is: (text) => isOf('SHA256_MOBILE_PHONE', text),
  },
} as const satisfies Record<string, Kind>
export type LineKind = keyof typeof LINE_KINDS
const KINDS = Object.keys(LINE_KINDS) as LineKind[]

/** For types that accept nearly anything: kinds of lines that are still not of the type. */
const NEVER_OF_TYPE: Partial<Record<IdentifierSubject, readonly LineKind[]>> = {
  QQ: ['phone'],
  OAID: ['columns', 'phone', 'imei', 'mac', 'qq'],
}

export interface TypeMismatch {
  /** The kind of most lines; null when it is no known kind. */
  kind: LineKind | null
  label: string
  /** How many of the lines fit the chosen type. */
  fits: number
  lines: number
}

/**
 * Why the first lines of a file do not look like its type; null when they do or there are none. With `hashes` the
 * browser hashes raw values, so these are accepted too.
 */
export function typeMismatch(type: IdentifierType, lines: readonly string[], hashes: boolean): TypeMismatch | null {
  const { subject, form } = IDENTIFIERS[type]
  const texts = lines.map((line) => canonicalLine('OAID', line)).filter((text) => text !== '')
  if (texts.length === 0) return null
  const seen = texts.map((text) => KINDS.find((name) => LINE_KINDS[name].is(text)) ?? null)
  const fits = texts.filter((text, i) => {
    const isTyped = identifierOf('crowd', type, canonicalLine(type, text)) !== null
    const isRaw = hashes && form !== 'plain' && rawLine(type, text).kind === 'raw'
    const lineKind = seen[i]
    const takesAll = (isTyped && form === 'plain') || (isRaw && !isTyped)
    return (isTyped || isRaw) && !(takesAll && lineKind && NEVER_OF_TYPE[subject]?.includes(lineKind))
  }).length
  if (fits * 2 >= texts.length) return null
  const [kind] = KINDS.map((name) => [name, seen.filter((one) => one === name).length] as const)
    .filter(([, count]) => count * 2 > texts.length)
    .map(([name]) => name)
  return {
    kind: kind ?? null,
    label: kind ? LINE_KINDS[kind].label : '无法识别为支持的标识类型',
    fits,
    lines: texts.length,
  }
}
