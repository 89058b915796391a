/** At most this many ids per line. */
const LINE_IDS = 10_000

interface Kind {
  name: string
  isAccepted: boolean
  format: RegExp
  /** Its number in an audience's `custom_type`. */
  customType: number
}

const HASH = /^[0-9A-Za-z]{32}$/
/** Kinds by their number on the wire. */
export const DATA_TYPES: Record<number, Kind> = {
  0: { name: 'IMEI', isAccepted: false, format: /^[0-9A-Za-z]{15}$/, customType: 1 },
  1: { name: 'IDFA', isAccepted: false, format: /^[0-9A-Za-z]{8}(-[0-9A-Za-z]{4}){3}-[0-9A-Za-z]{12}$/, customType: 2 },
  2: { name: 'UID', isAccepted: false, format: /^\d+$/, customType: 3 },
  4: { name: 'IMEI_MD5', isAccepted: true, format: HASH, customType: 11 },
  5: { name: 'IDFA_MD5', isAccepted: true, format: HASH, customType: 12 },
  6: { name: 'MOBILE_HASH_SHA256', isAccepted: true, format: /^[0-9A-Fa-f]{64}$/, customType: 14 },
  7: { name: 'OAID', isAccepted: false, format: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, customType: 15 },
  8: { name: 'OAID_MD5', isAccepted: true, format: HASH, customType: 16 },
  9: { name: 'CAID', isAccepted: true, format: HASH, customType: 19 },
}
const MOBILE_SHA256 = 6

export interface IdItem {
  dataType: number
  id: string
}

export class BadLine extends Error {}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** One line of a file: base64 of a proto2 message `DmpData { repeated IdItem idList = 1 }`. */
export function decodeLine(line: string, sourceType: string): IdItem[] {
  if (line === '') throw new BadLine('空行')
  if (!BASE64.test(line)) throw new BadLine('不是base64')
  const items = readMessage(Buffer.from(line, 'base64'))
  if (items.length === 0) throw new BadLine('idList为空')
  if (items.length > LINE_IDS) throw new BadLine(`一行不能超过${LINE_IDS}个id`)
  for (const { dataType, id } of items) {
    const kind = DATA_TYPES[dataType]
    if (!kind) throw new BadLine(`dataType不正确: ${dataType}`)
    if (!kind.isAccepted) throw new BadLine(`不再支持的dataType: ${kind.name}`)
    if (dataType === MOBILE_SHA256 && sourceType === 'DID') throw new BadLine('MOBILE_HASH_SHA256只支持UID类型的数据源')
    if (!kind.format.test(id)) throw new BadLine(`${kind.name}格式不正确: ${id.slice(0, 64)}`)
  }
  return items
}

const VARINT = 0
const LENGTH = 2
const utf8 = new TextDecoder('utf-8', { fatal: true })

function readMessage(bytes: Buffer): IdItem[] {
  const items: IdItem[] = []
  for (const { field, wire, content } of fieldsOf(bytes)) {
    if (field !== 1 || wire !== LENGTH) throw new BadLine(`DmpData中有未知的字段${field}`)
    items.push(readItem(content))
  }
  return items
}

function readItem(bytes: Buffer): IdItem {
  let dataType: number | undefined
  let id: string | undefined
  for (const { field, wire, content, number } of fieldsOf(bytes)) {
    if (field === 1 && wire === VARINT) {
      if (number > 0xffff_ffff) throw new BadLine('timestamp超出uint32')
    } else if (field === 2 && wire === VARINT) dataType = number
    else if (field === 3 && wire === LENGTH) id = textOf(content)
    else if (field === 4 && wire === LENGTH) textOf(content)
    else throw new BadLine(`IdItem中有未知的字段${field}`)
  }
  if (dataType === undefined) throw new BadLine('缺少dataType')
  if (id === undefined) throw new BadLine('缺少id')
  return { dataType, id }
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new BadLine('字符串不是UTF-8')
  }
}

const EMPTY = Buffer.alloc(0)

function* fieldsOf(bytes: Buffer): Generator<{ field: number; wire: number; content: Buffer; number: number }> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined) throw new BadLine('protobuf不完整')
      // Multiplied, not shifted: 64-bit numbers do not fit an int32.
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw new BadLine('protobuf不正确')
  }
  while (at < bytes.length) {
    const tag = varint()
    const wire = tag % 8
    const field = Math.floor(tag / 8)
    if (wire === VARINT) yield { field, wire, content: EMPTY, number: varint() }
    else if (wire === LENGTH) {
      const end = varint() + at
      if (end > bytes.length) throw new BadLine('protobuf不完整')
      yield { field, wire, content: bytes.subarray(at, end), number: 0 }
      at = end
    } else throw new BadLine(`protobuf的类型${wire}不在定义中`)
  }
}
