import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, writeSync } from 'node:fs'
import { CELL_END } from './csv-record.ts'
import { FileFault } from './file-fault.ts'

export const NEWLINE = 0x0a
export const RETURN = 0x0d

export function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++
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
  throw new FileFault(`文件不是 UTF-8 编码（第 ${line} 行），请另存为 UTF-8 后导入`)
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
    /** Room for a record of that many bytes behind its row and line number; nothing stays of it until `keep`. */
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
