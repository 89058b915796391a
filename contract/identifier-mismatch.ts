import {
  canonicalLine,
  IDENTIFIERS,
  type IdentifierSubject,
  type IdentifierType,
  identifierOf,
  rawFormat,
} from './identifier.ts'

/** Kinds of lines, the more specific first: eleven digits may be a QQ number, but are usually a phone. */
const LINE_KINDS = {
  columns: { label: '含多列的表格（每行应只有一个标识）', is: /^[^,\t]+[,\t]/ },
  phone: { label: '手机号（未加密）', is: /^1[3-9][0-9]{9}$/ },
  idfa: { label: 'IDFA', is: IDENTIFIERS.IDFA.format },
  uuid: { label: '小写的 IDFA 或 OAID', is: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ },
  mac: { label: 'MAC', is: /^[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}$/ },
  imei: { label: 'IMEI', is: /^([0-9]{14,15}|(?=.*[0-9])[0-9a-z]{14,15})$/ },
  qq: { label: 'QQ', is: /^[1-9][0-9]{4,11}$/ },
  md5: { label: 'MD5（如 IMEI-MD5、IDFA-MD5、手机号-MD5）', is: /^[0-9a-fA-F]{32}$/ },
  hex64: { label: 'SHA256（如 手机号-SHA256，或 MD5_SHA256 双重加密）', is: /^[0-9a-fA-F]{64}$/ },
} as const
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
  const seen = texts.map((text) => KINDS.find((name) => LINE_KINDS[name].is.test(text)) ?? null)
  const fits = texts.filter((text, i) => {
    const isTyped = identifierOf('crowd', type, canonicalLine(type, text)) !== null
    const isRaw = hashes && form !== 'plain' && rawFormat(subject).test(text)
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
    label: kind ? LINE_KINDS[kind].label : '不是任何已知的数据类型',
    fits,
    lines: texts.length,
  }
}
