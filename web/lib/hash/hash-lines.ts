import { canonicalLine, IDENTIFIERS, type IdentifierType, rawFormOf, rawLine } from '#contract/identifier.ts'
import { cellOf, type TextChoice } from '#contract/identifier-column.ts'
import { HEADER_MARK, MARK_FAULTS, MISSING_CELL_MARK, WITHHELD_MARK } from '#contract/line-mark.ts'
import { md5, message, sha256 } from './digests.ts'
import { LANE_TEXT_MAX, openLaneHash } from './lane-hash.ts'
import { ANY_HEX, LOWER_HEX, PLAINLY, phoneLine } from './plain-values.ts'
import { OUT_BYTES } from './simd-hash.ts'

/** lines = hashed + already + malformed; the line of column names is none of them. */
export interface HashCounts {
  lines: number
  hashed: number
  /** Lines that already were values of the type. */
  already: number
  malformed: number
  /** Hashed lines whose value was written in another form than the one that is hashed. */
  normalised: number
}

/** A malformed line that is not empty. */
interface KeptLine {
  /** Counts from 0 within the bytes given. */
  row: number
  fault: number
  text: string
}

export interface HashedLines {
  counts: HashCounts
  /** All lines, the header and empty ones too. */
  rows: number
  kept: KeptLine[]
}

const NEWLINE = 0x0a
const RETURN = 0x0d
const QUOTE = 0x22
const HEX64_BYTES = 64

const isAll = (bytes: Uint8Array, from: number, to: number, allowed: Uint8Array) => {
  for (let i = from; i < to; i++) if (allowed[bytes[i] as number] === 0) return false
  return true
}

/**
 * Hashes the identifiers of whole lines. Every line becomes exactly one: a hash, an empty line, or a mark that stands for
 * what is not sent. `isFirst`: the bytes are the beginning of the text. `write` receives the lines part by part and must
 * copy them, since the next part takes their place. `withLanes`: eight texts at once where possible. `allRaw`: no line is
 * taken as a hash.
 */
export function hashLines(
  type: IdentifierType,
  choice: TextChoice,
  given: Uint8Array,
  isFirst: boolean,
  write: (part: Uint8Array<ArrayBuffer>) => void,
  { withLanes = true, allRaw = false }: { withLanes?: boolean; allRaw?: boolean } = {},
): HashedLines {
  const form = rawFormOf(type)
  if (!form) throw new Error(`${type} is raw itself`)
  const isWide = choice.encoding.startsWith('utf-16')
  const bytes = isWide ? encoder.encode(new TextDecoder(choice.encoding).decode(given)) : given
  const decoder = new TextDecoder(isWide ? 'utf-8' : choice.encoding, { ignoreBOM: true })
  const separator = choice.separator?.charCodeAt(0) ?? null
  const isTwice = IDENTIFIERS[type].form === 'md5_sha256'
  const hashBytes = IDENTIFIERS[type].form === 'md5' ? 32 : HEX64_BYTES
  // As in `rawLine`: an OAID in capitals may have 32 letters.
  const hashLetters = type === 'HASH_OAID' || hashBytes === HEX64_BYTES ? LOWER_HEX : ANY_HEX
  const plainly = PLAINLY[form]
  const counts = { lines: 0, hashed: 0, already: 0, malformed: 0, normalised: 0 }
  const kept: KeptLine[] = []
  const isShort = hashBytes === 32
  const lanes = isTwice || !withLanes ? null : openLaneHash(isShort ? 'md5' : 'sha256')
  // Of a few lines, as for a preview, the output is small.
  const out = lanes?.out ?? new Uint8Array(Math.min(OUT_BYTES, (bytes.length + 1) * LINE_OUT_BYTES))
  let o = 0
  let rows = 0

  const flush = () => {
    lanes?.run()
    if (o > 0) write(out.subarray(0, o))
    o = 0
  }
  const hash = (length: number) => {
    if (lanes && length <= LANE_TEXT_MAX) lanes.put(length, o)
    else if (isShort) md5(length, out, o)
    else if (isTwice) {
      md5(length, once, 0)
      message.set(once)
      sha256(32, out, o)
    } else sha256(length, out, o)
    o += hashBytes
    counts.hashed++
  }
  const mark = (text: string) => {
    o += encoder.encodeInto(text, out.subarray(o)).written
  }
  const withhold = (text: string, line: string, as: keyof typeof MARK_FAULTS) => {
    counts.malformed++
    if (text.trim() === '') return
    mark(as)
    kept.push({ row: rows, fault: MARK_FAULTS[as], text: line.slice(0, KEPT_CHARACTERS) })
  }
  /** Lines that are not plain: with quotes, blanks, other writing, or malformed. */
  const slowly = (from: number, to: number) => {
    const line = decoder.decode(bytes.subarray(from, to))
    const cell = cellOf(line, choice)
    if (cell === null) return withhold(line, line, MISSING_CELL_MARK)
    const read = rawLine(type, cell, allRaw)
    if (read.kind === 'malformed') return withhold(cell, line, WITHHELD_MARK)
    if (read.kind === 'raw') {
      if (read.isNormalised) counts.normalised++
      return hash(encoder.encodeInto(read.text, message).written)
    }
    counts.already++
    mark(canonicalLine(type, cell))
  }

  /** Most lines of most files: plain phones that fill their line. */
  const phoneLanes = form === 'MOBILE_PHONE' && separator === null ? lanes : null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let phones = 0
  const headerRows = isFirst && choice.has_header ? 1 : 0

  for (let from = 0; from < bytes.length; ) {
    if (o + LINE_OUT_BYTES > out.length) flush()
    const phoneBytes = phoneLanes && rows >= headerRows ? phoneLine(view, from) : 0
    if (phoneLanes && phoneBytes > 0) {
      const many = phoneLanes.putPhones(view, from, o, phoneBytes)
      from += many * phoneBytes
      o += many * (hashBytes + 1)
      rows += many
      phones += many
      continue
    }
    let to = from
    while (to < bytes.length && bytes[to] !== NEWLINE && bytes[to] !== RETURN) to++
    const next = bytes[to] === RETURN && bytes[to + 1] === NEWLINE ? to + 2 : to + 1
    if (rows < headerRows) mark(HEADER_MARK)
    else {
      counts.lines++
      const cell = separator === null ? whole(from, to) : plainCell(bytes, from, to, separator, choice.column)
      if (cell === null) slowly(from, to)
      else if (!allRaw && cell.to - cell.from === hashBytes && isAll(bytes, cell.from, cell.to, hashLetters)) {
        counts.already++
        out.set(bytes.subarray(cell.from, cell.to), o)
        o += hashBytes
      } else {
        const length = plainly(bytes, cell.from, cell.to)
        if (length > 0) {
          if (form !== 'MOBILE_PHONE' && form !== 'QQ' && form !== 'OAID' && !isSame(bytes, cell.from, length, cell.to))
            counts.normalised++
          hash(length)
        } else slowly(from, to)
      }
    }
    out[o++] = NEWLINE
    from = next
    rows++
  }
  flush()
  counts.lines += phones
  counts.hashed += phones
  return { counts, rows, kept }
}

/** A cell's place; the same object each time, which saves one for each line. */
const place = { from: 0, to: 0 }
const whole = (from: number, to: number) => {
  place.from = from
  place.to = to
  return place
}

/** A cell of a line of plain characters; null when the line has quotes, other characters, or fewer columns. */
function plainCell(bytes: Uint8Array, from: number, to: number, separator: number, column: number) {
  let left = column
  let start = column === 0 ? from : -1
  let end = to
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number
    // The second byte of a GBK character may be a vertical bar.
    if (byte === QUOTE || (byte > 0x7f && separator === BAR)) return null
    if (byte !== separator) continue
    if (left === 0) {
      if (start !== -1) end = Math.min(end, i)
    } else if (--left === 0) start = i + 1
    if (start !== -1 && end < to) break
  }
  return start === -1 ? null : whole(start, end)
}

/** Whether a value was hashed as it is written: bytes left in `message` by the table differ from it where it was not. */
const isSame = (bytes: Uint8Array, from: number, length: number, to: number) => {
  if (to - from !== length) return false
  for (let i = 0; i < length; i++) if (message[i] !== bytes[from + i]) return false
  return true
}

/** The longest line that is written: a hash of 64 letters, or a mark. */
const LINE_OUT_BYTES = 128
/** Characters of a malformed line that are kept. */
const KEPT_CHARACTERS = 500
const BAR = 0x7c
const once = new Uint8Array(32)
const encoder = new TextEncoder()
