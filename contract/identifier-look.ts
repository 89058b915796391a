import {
  canonicalLine,
  IDENTIFIERS,
  type IdentifierSubject,
  type IdentifierType,
  lineFault,
  rawFormat,
} from './identifier.ts'

/** Kinds of lines, the more specific first: eleven digits may be a QQ number, but are usually a phone. */
const LOOKS = {
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
export type LookName = keyof typeof LOOKS
const NAMES = Object.keys(LOOKS) as LookName[]

/** For types that accept nearly anything: kinds of lines that are still not of the type. */
const NOT: Partial<Record<IdentifierSubject, readonly LookName[]>> = {
  QQ: ['phone'],
  OAID: ['columns', 'phone', 'imei', 'mac', 'qq'],
}

export interface Look {
  /** The kind of most lines; null when it is no known kind. */
  looks: LookName | null
  label: string
  /** How many of the lines have the chosen type. */
  fits: number
  lines: number
}

/**
 * Why the first lines of a file do not look like its type; null when they do or there are none. With `hashes` the
 * browser hashes raw values, so these are accepted too.
 */
export function lookFault(type: IdentifierType, lines: readonly string[], hashes: boolean): Look | null {
  const { subject, form } = IDENTIFIERS[type]
  const texts = lines.map((line) => canonicalLine('OAID', line)).filter((text) => text !== '')
  if (texts.length === 0) return null
  const seen = texts.map((text) => NAMES.find((name) => LOOKS[name].is.test(text)) ?? null)
  const fits = texts.filter((text, i) => {
    const isTyped = lineFault(type, text) === null
    const isRaw = hashes && form !== 'plain' && rawFormat(subject).test(text)
    const look = seen[i]
    const takesAll = (isTyped && form === 'plain') || (isRaw && !isTyped)
    return (isTyped || isRaw) && !(takesAll && look && NOT[subject]?.includes(look))
  }).length
  if (fits * 2 >= texts.length) return null
  const [looks] = NAMES.map((name) => [name, seen.filter((one) => one === name).length] as const)
    .filter(([, count]) => count * 2 > texts.length)
    .map(([name]) => name)
  return {
    looks: looks ?? null,
    label: looks ? LOOKS[looks].label : '不是任何已知的数据类型',
    fits,
    lines: texts.length,
  }
}
