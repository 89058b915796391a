import type { RawForm } from '#contract/identifier.ts'
import { message } from './digests.ts'

const NEWLINE = 0x0a
const RETURN = 0x0d
const QUOTE = 0x22
const HYPHEN = 0x2d
const COLON = 0x3a

/** Maps a byte to its normalised form; 0 if it is not allowed. */
const table = (become: (char: string) => string | null) =>
  Uint8Array.from({ length: 256 }, (_, byte) => become(String.fromCharCode(byte))?.charCodeAt(0) ?? 0)
const only = (allowed: RegExp, change = (char: string) => char) =>
  table((char) => (allowed.test(change(char)) && char < '\x7f' ? change(char) : null))
export const LOWER_HEX = only(/[0-9a-f]/)
export const ANY_HEX = only(/[0-9a-fA-F]/)
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
export const PLAINLY: Record<RawForm, (bytes: Uint8Array, from: number, to: number) => number> = {
  MOBILE_PHONE: (bytes, from, to) =>
    to - from === 11 && bytes[from] === 0x31 && (bytes[from + 1] as number) >= 0x33 && copy(bytes, from, to, DIGITS)
      ? 11
      : 0,
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

const areDigits = (word: number) =>
  (word & ~0x0f0f0f0f) === 0x30303030 && ((word + 0x06060606) & ~0x0f0f0f0f) === 0x30303030

/** The length of a line that is nothing but a phone, with its end; 0 for any other line. */
export function phoneLine(view: DataView, from: number): number {
  if (from + 13 > view.byteLength) return 0
  const first = view.getInt32(from, true)
  const last = view.getInt32(from + 8, true)
  if ((first & 0xff) !== 0x31 || (first & 0xff00) < 0x3300 || !areDigits(first)) return 0
  if (!areDigits(view.getInt32(from + 4, true)) || !areDigits((last & 0xffffff) | 0x30000000)) return 0
  const after = last >>> 24
  if (after === NEWLINE) return 12
  return after === RETURN && view.getUint8(from + 12) === NEWLINE ? 13 : 0
}
