import { isUtf8 } from 'node:buffer'
import { outcome } from '#contract/outcomes/make.ts'
import { FileFault } from './file-fault.ts'

/** Longer lines are cut: no identifier is nearly as long, and the engine keeps whole lines in memory. */
const LINE_BYTES_MAX = 64 * 1024
const NEWLINE = 0x0a
const RETURN = 0x0d
const EMPTY = Buffer.alloc(0)

/**
 * Checks the bytes of a text as they pass: they must be UTF-8, a lone carriage return becomes a line end, and lines that
 * are too long are cut. Other bytes pass unchanged.
 */
export function textPass() {
  /** Bytes held back from the end of the previous chunk: part of a character, or a carriage return. */
  let held = EMPTY
  /** Length so far of the line that the previous chunk left open. */
  let open = 0
  let passed = 0
  let isChanged = false
  let hasReturns = false

  function check(bytes: Buffer) {
    if (!isUtf8(bytes)) throw new BadBytes(passed, bytes.subarray(0, firstBad(bytes)))
    passed += bytes.length
    const returned = bytes.includes(RETURN) ? withoutLoneReturns(bytes) : bytes
    const cut = cutLong(returned)
    if (cut !== bytes) isChanged = true
    return cut
  }

  function withoutLoneReturns(bytes: Buffer): Buffer {
    hasReturns = true
    let out = bytes
    for (const { index } of bytes.toString('latin1').matchAll(LONE_RETURN)) {
      if (out === bytes) out = Buffer.from(bytes)
      out[index] = NEWLINE
    }
    return out
  }

  function cutLong(bytes: Buffer): Buffer {
    const first = bytes.indexOf(NEWLINE)
    const isShort = open + (first === -1 ? bytes.length : first) <= LINE_BYTES_MAX && bytes.length <= LINE_BYTES_MAX
    if (isShort || !hasLong(bytes)) {
      open = first === -1 ? open + bytes.length : bytes.length - 1 - bytes.lastIndexOf(NEWLINE)
      return bytes
    }
    const parts: Buffer[] = []
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, at)
      const stop = end === -1 ? bytes.length : end
      const room = Math.max(0, LINE_BYTES_MAX - open)
      parts.push(bytes.subarray(at, stop - at > room ? characterStart(bytes, at + room) : stop))
      open = end === -1 ? open + stop - at : 0
      if (end !== -1) parts.push(bytes.subarray(end, end + 1))
      at = stop + 1
    }
    return Buffer.concat(parts)
  }

  function hasLong(bytes: Buffer): boolean {
    let from = -open
    for (;;) {
      // The last line end within the maximum length; if there is none, the line is too long.
      const reach = from + LINE_BYTES_MAX
      if (reach >= bytes.length) return false
      const end = reach < 0 ? -1 : bytes.lastIndexOf(NEWLINE, reach)
      if (end < Math.max(0, from)) return true
      from = end + 1
    }
  }

  return {
    /** The bytes to write for the chunk. */
    push(chunk: Buffer): Buffer {
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      let whole = bytes.length - unfinished(bytes)
      // The next byte decides whether a carriage return is part of a line end.
      if (whole === bytes.length && bytes[whole - 1] === RETURN) whole--
      held = Buffer.from(bytes.subarray(whole))
      return check(bytes.subarray(0, whole))
    },
    end(): Buffer {
      const rest = held
      held = EMPTY
      return check(rest)
    },
    /** Whether the output differs from the input. */
    isChanged: () => isChanged,
    /** Whether lines may end with a carriage return. */
    hasReturns: () => hasReturns,
  }
}

const LONE_RETURN = /\r(?!\n)/g

/** The bytes from this position on are not UTF-8. */
export class BadBytes extends Error {
  readonly at: number
  /** The bytes of the chunk before that position. */
  readonly before: Buffer
  constructor(passed: number, before: Buffer) {
    super('no UTF-8')
    this.at = passed + before.length
    this.before = before
  }
}

export const notUtf8 = (in_archive: string | null, line: number) =>
  new FileFault(outcome('file_not_in_encoding', { in_archive, line, encoding: 'utf-8' }))

/** The number of line ends: a newline, a carriage return, or both together. */
export function lineEndsIn(bytes: Buffer): number {
  let ends = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) ends++
  for (let at = bytes.indexOf(RETURN); at !== -1; at = bytes.indexOf(RETURN, at + 1)) {
    if (bytes[at + 1] !== NEWLINE) ends++
  }
  return ends
}

/** The number of bytes at the end that begin an incomplete character. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if ((byte & 0xc0) === 0x80) continue
    const wants = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return wants > back ? back : 0
  }
  return 0
}

function characterStart(bytes: Buffer, at: number): number {
  let start = at
  while (start > 0 && ((bytes[start] as number) & 0xc0) === 0x80) start--
  return start
}

/** The position of the first invalid character. */
function firstBad(bytes: Buffer): number {
  let good = 0
  let bad = bytes.length
  while (bad - good > 8) {
    const middle = (good + bad) >>> 1
    const start = characterStart(bytes, middle)
    const end = start > good ? start : middle
    if (isUtf8(bytes.subarray(good, end))) good = end
    else bad = end
  }
  for (;;) {
    const length = [1, 2, 3, 4].find((many) => isUtf8(bytes.subarray(good, good + many)))
    if (length === undefined || good >= bytes.length) return good
    good += length
  }
}
