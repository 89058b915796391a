import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, writeSync } from 'node:fs'
import { outcome } from '#contract/outcomes/make.ts'
import { CELL_END } from './csv-record.ts'
import { FileFault } from './file-fault.ts'

export const NEWLINE = 0x0a
export const RETURN = 0x0d

const NEWLINES = 0x0a0a0a0a
const LOW_BITS = 0x7f7f7f7f
const ONES = 0x01010101
/** After this many words a byte of the sum may overflow. */
const WORDS_AT_ONCE = 255

/** Counts line ends, four bytes at a time, which costs less than a call of `indexOf` per line. */
export function countLines(bytes: Buffer): number {
  const head = Math.min(bytes.length, (4 - (bytes.byteOffset % 4)) % 4)
  const body = (bytes.length - head) & ~3
  const words = body === 0 ? new Uint32Array() : new Uint32Array(bytes.buffer, bytes.byteOffset + head, body / 4)
  let lines = 0
  for (let from = 0; from < words.length; from += WORDS_AT_ONCE) {
    const to = Math.min(words.length, from + WORDS_AT_ONCE)
    let sums = 0
    for (let at = from; at < to; at++) {
      const word = (words[at] as number) ^ NEWLINES
      // The high bit of each byte is set unless the byte is 0.
      sums += (~(((word & LOW_BITS) + LOW_BITS) | word) >>> 7) & ONES
    }
    lines += (sums & 255) + ((sums >>> 8) & 255) + ((sums >>> 16) & 255) + (sums >>> 24)
  }
  for (let at = 0; at < head; at++) if (bytes[at] === NEWLINE) lines++
  for (let at = head + body; at < bytes.length; at++) if (bytes[at] === NEWLINE) lines++
  return lines
}

export function mustBeUtf8(bytes: Buffer, firstLine: number): void {
  if (isUtf8(bytes)) return
  let at = 0
  let line = firstLine
  for (;;) {
    const end = bytes.indexOf(NEWLINE, at)
    if (end === -1 || !isUtf8(bytes.subarray(at, end))) break
    at = end + 1
    line++
  }
  throw new FileFault(outcome('file_not_utf8', { line }))
}

export function writeWhole(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w')
  try {
    writeAll(file, bytes)
  } finally {
    closeSync(file)
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

const WRITER_BYTES = 8 * 1024 * 1024
const PREFIX_BYTES = 64

/** Writes lines of the layout `cells` to a file. */
export function lineWriter(path: string) {
  const file = openSync(path, 'w')
  const out = Buffer.allocUnsafe(WRITER_BYTES)
  let at = 0
  let rows = 0
  const flush = () => {
    writeAll(file, out.subarray(0, at))
    at = 0
  }
  const digits = (number: number, from: number): number => {
    const text = String(number)
    for (let i = 0; i < text.length; i++) out[from + i] = text.charCodeAt(i)
    out[from + text.length] = CELL_END
    return from + text.length + 1
  }
  return {
    path,
    rows: () => rows,
    /** Reserves room for a record of that many bytes after its row and line number; `keep` makes it permanent. */
    begin(row: number, line: number, bytes: number) {
      if (at + bytes + PREFIX_BYTES > WRITER_BYTES) flush()
      return { out, from: digits(line, digits(row, at)) }
    },
    keep(end: number) {
      out[end] = NEWLINE
      at = end + 1
      rows++
    },
    line(text: string) {
      const bytes = Buffer.byteLength(text)
      if (at + bytes + 1 > WRITER_BYTES) flush()
      if (bytes + 1 > WRITER_BYTES) writeAll(file, Buffer.from(text))
      else at += out.write(text, at)
      out[at++] = NEWLINE
      rows++
    },
    close() {
      flush()
      closeSync(file)
    },
  }
}
