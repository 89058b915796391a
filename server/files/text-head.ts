import { isUtf8 } from 'node:buffer'
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { outcome } from '#contract/outcomes/make.ts'
import type { TextEncoding } from '#contract/text-encoding.ts'
import { readHeader } from './csv-header.ts'
import { csvCutter } from './csv-slices.ts'
import { FileFault } from './file-fault.ts'
import { ndjsonCutter } from './ndjson-slices.ts'
import { CELL_SHOWN, HEAD_BYTES } from './preview-limits.ts'
import type { CutBytes } from './slice.ts'
import { utf8From } from './text-encoding.ts'

export interface TextFile {
  path: string
  format: 'csv' | 'ndjson'
  isGzip: boolean
  encoding: TextEncoding
  /** The most rows to read. */
  lines: number
}

export interface Head {
  columns: string[]
  /** The first rows, each cell cut to what is shown. */
  rows: HeadRow[]
  /** Whether the file has no rows besides; false where that is not known. */
  isWhole: boolean
}

export interface HeadRow {
  /** The line on which it begins, from 1; of a Parquet file the row's number. */
  line: number
  /** A cell for each column; of a row that cannot be read what there is of it. */
  cells: string[]
  /** Why it cannot be read. */
  refused: AnyOutcome | null
}

/** The columns of a text and its first rows, read as an import reads them. */
export async function textHead({ path, format, isGzip, encoding, lines }: TextFile): Promise<Head> {
  const { bytes, isWhole } = await firstBytes(path, isGzip, encoding)
  const end = isWhole ? bytes.length : bytes.lastIndexOf(0x0a) + 1
  if (end === 0) throw new FileFault(outcome(bytes.length === 0 ? 'file_zero_bytes' : 'row_too_long'))
  const whole = bytes.subarray(0, end)
  if (!isUtf8(whole)) throw new FileFault(outcome('file_not_utf8', { line: null }))
  const start = whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? 3 : 0
  // One row more tells whether there are others.
  const { columns, rows } =
    format === 'csv' ? csvHead(whole, start, lines + 1) : ndjsonHead(whole.subarray(start), lines + 1)
  return { columns, rows: rows.slice(0, lines), isWhole: isWhole && rows.length <= lines }
}

async function firstBytes(
  path: string,
  isGzip: boolean,
  encoding: TextEncoding,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const file = createReadStream(path)
  const stream: Readable = isGzip ? file.pipe(createGunzip()) : file
  const converter = encoding === 'utf-8' ? null : utf8From(encoding)
  const chunks: Buffer[] = []
  let size = 0
  const keep = (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
  }
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      keep(converter ? converter.push(chunk) : chunk)
      if (size >= HEAD_BYTES) break
    }
    if (converter && size < HEAD_BYTES) keep(converter.end())
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

function csvHead(bytes: Buffer, start: number, lines: number): Omit<Head, 'isWhole'> {
  const header = readHeader(bytes, start, bytes.length, true)
  const { columns } = header
  const rows = inDirectory((directory) => {
    const cut = csvCutter({ directory, areAllCells: true }, header)
    return firstRows(cut, bytes.subarray(header.next), { lines, firstLine: header.lines + 1 })
  })
  return { columns, rows: rows.map((row) => shownRow(row, columns)) }
}

function ndjsonHead(bytes: Buffer, lines: number): Omit<Head, 'isWhole'> {
  let columns: string[] = []
  const rows = inDirectory((directory) => {
    const cut = ndjsonCutter(directory)
    return firstRows(
      (...part) => {
        const done = cut(...part)
        columns = done.slice?.columns ?? columns
        return done
      },
      bytes,
      { lines, firstLine: 1 },
    )
  })
  if (columns.length === 0) {
    const isAnyTooLong = rows.some(({ refused }) => refused?.code === 'row_too_long')
    throw new FileFault(outcome(isAnyTooLong ? 'row_too_long' : 'file_without_objects'))
  }
  return { columns, rows: rows.map((row) => shownRow(row, columns)) }
}

/** Bytes cut at once; more if no row ends within them. */
const PART_BYTES = 64 * 1024

/** The first rows in the order of their lines, refused ones among them. */
function firstRows(
  cut: CutBytes,
  bytes: Buffer,
  { lines, firstLine }: { lines: number; firstLine: number },
): HeadRow[] {
  const place = { number: 0, row: 0, line: firstLine }
  const rows: HeadRow[] = []
  let size = PART_BYTES
  for (let at = 0; at < bytes.length && rows.length < lines; place.number++) {
    const isLast = at + size >= bytes.length
    const { consumed, slice, refusals } = cut(bytes.subarray(at, at + size), isLast, place)
    const found = refusals.map(({ line, outcome, cells }): HeadRow => ({ line, cells: cells ?? [], refused: outcome }))
    if (slice) found.push(...preparedRows(slice.path))
    rows.push(...found.sort((one, other) => one.line - other.line))
    at += consumed
    if (consumed === 0) size *= 2
  }
  return rows.slice(0, lines)
}

/** The rows of a slice in the layout `cells`. */
function preparedRows(path: string): HeadRow[] {
  const text = readFileSync(path, 'utf8')
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  return lines.map((line) => {
    const [, number, , ...cells] = line.split('\u001f')
    return { line: Number(number), cells: cells.map((cell) => cell.replaceAll('\u001e', '\n').trim()), refused: null }
  })
}

function shownRow({ line, cells, refused }: HeadRow, columns: readonly string[]): HeadRow {
  const all = refused ? cells : columns.map((_, at) => cells[at] ?? '')
  return { line, refused, cells: all.map((cell) => cell.slice(0, CELL_SHOWN)) }
}

function inDirectory<T>(work: (directory: string) => T): T {
  const directory = mkdtempSync(join(tmpdir(), 'renqun-head-'))
  try {
    return work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
