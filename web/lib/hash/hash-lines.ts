import { IDENTIFIERS, type IdentifierType, type RawForm, rawFormOf, rawLine } from '#contract/identifier.ts'
import { md5, message, sha256 } from './digests.ts'

/** lines = hashed + already + malformed */
export interface HashCounts {
  lines: number
  hashed: number
  /** Lines that already were values of the type. */
  already: number
  malformed: number
}

const NEWLINE = 0x0a
const RETURN = 0x0d
const QUOTE = 0x22
const HYPHEN = 0x2d
const COLON = 0x3a
const HEX64_BYTES = 64
const OUT_BYTES = 1024 * 1024

/** Maps a byte to its normalised form; 0 if it is not allowed. */
const table = (become: (char: string) => string | null) =>
  Uint8Array.from({ length: 256 }, (_, byte) => become(String.fromCharCode(byte))?.charCodeAt(0) ?? 0)
const only = (allowed: RegExp, change = (char: string) => char) =>
  table((char) => (allowed.test(change(char)) && char < '\x7f' ? change(char) : null))
const LOWER_HEX = only(/[0-9a-f]/)
const ANY_HEX = only(/[0-9a-fA-F]/)
const DIGITS = only(/[0-9]/)
const LOWER = only(/[0-9a-z]/, (char) => char.toLowerCase())
const UPPER = only(/[0-9A-Z]/, (char) => char.toUpperCase())
const UPPER_HEX = only(/[0-9A-F]/, (char) => char.toUpperCase())
const VISIBLE = only(/[!-~]/)

/** Copies bytes to `message` through the table; false if one is not allowed. */
function copy(bytes: Uint8Array, from: number, to: number, through: Uint8Array, at = 0): boolean {
  for (let i = from; i < to; i++) {
    const byte = through[bytes[i] as number] as number
    if (byte === 0) return false
    message[at + i - from] = byte
  }
  return true
}

/** Writes a recognised raw value to `message` in its normalised form and returns its length; else 0. */
const PLAINLY: Record<RawForm, (bytes: Uint8Array, from: number, to: number) => number> = {
  MOBILE_PHONE: (bytes, from, to) => (to - from === 11 && copy(bytes, from, to, DIGITS) ? 11 : 0),
  QQ: (bytes, from, to) => (to - from >= 5 && to - from <= 12 && copy(bytes, from, to, DIGITS) ? to - from : 0),
  IMEI: (bytes, from, to) => ((to - from === 14 || to - from === 15) && copy(bytes, from, to, LOWER) ? to - from : 0),
  OAID: (bytes, from, to) =>
    to - from >= 1 && to - from <= 64 && bytes[from] !== QUOTE && copy(bytes, from, to, VISIBLE) ? to - from : 0,
  IDFA: (bytes, from, to) => {
    if (to - from !== 36) return 0
    for (const [start, end] of IDFA_PARTS) {
      if (!copy(bytes, from + start, from + end, UPPER, start)) return 0
      if (end < 36) {
        if (bytes[from + end] !== HYPHEN) return 0
        message[end] = HYPHEN
      }
    }
    return 36
  },
  MAC: (bytes, from, to) => {
    if (to - from !== 17) return 0
    for (let part = 0; part < 6; part++) {
      const start = from + part * 3
      if (!copy(bytes, start, start + 2, UPPER_HEX, part * 2)) return 0
      if (part < 5 && bytes[start + 2] !== COLON) return 0
    }
    return 12
  },
}
const IDFA_PARTS = [
  [0, 8],
  [9, 13],
  [14, 18],
  [19, 23],
  [24, 36],
] as const

const isAll = (bytes: Uint8Array, from: number, to: number, allowed: Uint8Array) => {
  for (let i = from; i < to; i++) if (allowed[bytes[i] as number] === 0) return false
  return true
}

/**
 * Hashes the raw values of whole lines, one per line. Lines that are already hashed or are
 * malformed stay unchanged: the server's report counts them.
 */
export function hashLines(type: IdentifierType, bytes: Uint8Array): HashCounts & { parts: Uint8Array<ArrayBuffer>[] } {
  const form = rawFormOf(type)
  if (!form) throw new Error(`${type} is raw itself`)
  const isTwice = IDENTIFIERS[type].form === 'md5_sha256'
  const hashBytes = IDENTIFIERS[type].form === 'md5' ? 32 : HEX64_BYTES
  // As in `rawLine`: an OAID in capitals may have 32 letters.
  const hashLetters = type === 'HASH_OAID' || hashBytes === HEX64_BYTES ? LOWER_HEX : ANY_HEX
  const plainly = PLAINLY[form]
  const counts = { lines: 0, hashed: 0, already: 0, malformed: 0 }
  const parts: Uint8Array<ArrayBuffer>[] = []
  let out = new Uint8Array(OUT_BYTES)
  let o = 0

  const room = (wanted: number) => {
    if (o + wanted <= out.length) return
    parts.push(out.subarray(0, o))
    out = new Uint8Array(Math.max(OUT_BYTES, wanted))
    o = 0
  }
  const hash = (length: number) => {
    room(HEX64_BYTES + 1)
    if (hashBytes === 32) md5(length, out, o)
    else if (isTwice) {
      md5(length, once, 0)
      message.set(once)
      sha256(32, out, o)
    } else sha256(length, out, o)
    o += hashBytes
    out[o++] = NEWLINE
    counts.hashed++
  }
  const keep = (from: number, to: number) => {
    room(to - from + 1)
    out.set(bytes.subarray(from, to), o)
    o += to - from
    out[o++] = NEWLINE
  }

  for (let from = 0; from < bytes.length; ) {
    let to = from
    while (to < bytes.length && bytes[to] !== NEWLINE && bytes[to] !== RETURN) to++
    const next = bytes[to] === RETURN && bytes[to + 1] === NEWLINE ? to + 2 : to + 1
    counts.lines++
    if (to - from === hashBytes && isAll(bytes, from, to, hashLetters)) {
      counts.already++
      keep(from, to)
    } else {
      const length = plainly(bytes, from, to)
      if (length > 0) hash(length)
      else {
        const line = rawLine(type, decoder.decode(bytes.subarray(from, to)))
        if (line.kind === 'raw') hash(encoder.encodeInto(line.text, message).written)
        else {
          counts[line.kind]++
          keep(from, to)
        }
      }
    }
    from = next
  }
  if (o > 0) parts.push(out.subarray(0, o))
  return { ...counts, parts }
}

const once = new Uint8Array(32)
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()
