import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ROW_BYTES_MAX } from '#contract/file-limits.ts'
import { outcome } from '#contract/outcomes/make.ts'
import { readHeader } from './csv-header.ts'
import { emptyRecord, readRecord } from './csv-record.ts'
import { FileFault } from './file-fault.ts'
import { jsonLine } from './json-line.ts'
import { CELL_SHOWN, HEAD_BYTES } from './preview-limits.ts'
import { COLUMNS_MAX, checkedName } from './slice.ts'

export interface TextFile {
  path: string
  format: 'csv' | 'ndjson'
  isGzip: boolean
  /** The most rows to read. */
  lines: number
}

export interface Head {
  columns: string[]
  rows: string[][]
}

/** The columns of a text and its first rows, each cell cut to what is shown. */
export async function textHead({ path, format, isGzip, lines }: TextFile): Promise<Head> {
  const { bytes, isWhole } = await firstBytes(path, isGzip)
  const end = isWhole ? bytes.length : bytes.lastIndexOf(0x0a) + 1
  if (end === 0) throw new FileFault(outcome(bytes.length === 0 ? 'file_zero_bytes' : 'row_too_long'))
  const whole = bytes.subarray(0, end)
  if (!isUtf8(whole)) throw new FileFault(outcome('file_not_utf8', { line: null }))
  const start = whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? 3 : 0
  const { columns, rows } =
    format === 'csv' ? csvHead(whole, start, lines) : ndjsonHead(whole.toString('utf8', start), lines)
  return { columns, rows: rows.map((row) => columns.map((_, at) => (row[at] ?? '').slice(0, CELL_SHOWN))) }
}

async function firstBytes(path: string, isGzip: boolean): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const file = createReadStream(path)
  const stream: Readable = isGzip ? file.pipe(createGunzip()) : file
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= HEAD_BYTES) break
    }
  } catch (error) {
    // A preview shows what is readable; the import reports that the rest is missing.
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error
    if (size === 0) throw new FileFault(outcome('file_gzip_broken'))
  } finally {
    file.destroy()
    stream.destroy()
  }
  return { bytes: Buffer.concat(chunks), isWhole: size < HEAD_BYTES }
}

function csvHead(bytes: Buffer, start: number, lines: number): Head {
  const header = readHeader(bytes, start, bytes.length, true)
  const out = Buffer.allocUnsafe(bytes.length)
  const record = emptyRecord()
  const rows: string[][] = []
  for (let at = header.next; at < bytes.length && rows.length < lines; ) {
    if (bytes[at] === 0x0a || bytes[at] === 0x0d) {
      at++
      continue
    }
    readRecord(bytes, at, bytes.length, true, header.separator.charCodeAt(0), out, 0, record)
    if (record.fault === null && record.columns === header.columns.length) {
      const cells = out.toString('utf8', 0, record.written).split('\u001f')
      rows.push(cells.map((cell) => cell.replaceAll('\u001e', '\n')))
    }
    const next = bytes.indexOf(0x0a, at)
    at = record.fault === null ? record.next : next === -1 ? bytes.length : next + 1
  }
  return { columns: header.columns, rows }
}

function ndjsonHead(text: string, lines: number): Head {
  const columns: string[] = []
  const known = new Map<string, number>()
  const addColumn = (name: string) => {
    const at = columns.push(checkedName(name)) - 1
    if (columns.length > COLUMNS_MAX) throw new FileFault(outcome('file_too_many_columns', { max: COLUMNS_MAX }))
    known.set(name, at)
    return at
  }
  const rows: string[][] = []
  let isAnyTooLong = false
  for (const line of text.split('\n')) {
    if (rows.length === lines) break
    if (line.trim() === '') continue
    if (Buffer.byteLength(line) > ROW_BYTES_MAX) {
      isAnyTooLong = true
      continue
    }
    const read = jsonLine(line.trim(), known, addColumn)
    if ('cells' in read) rows.push(read.cells.map((cell) => cell.replaceAll('\u001e', '\n')))
  }
  if (columns.length === 0) throw new FileFault(outcome(isAnyTooLong ? 'row_too_long' : 'file_without_objects'))
  return { columns, rows }
}
