import { isUtf8 } from 'node:buffer'
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CELL_END, emptyRecord, LINE_BREAK, readRecord, separatorOf } from './csv-record.ts'
import { FileFault } from './file-fault.ts'
import type { FileFormat } from './file-format.ts'
import { type JsonLine, jsonLine } from './json-line.ts'

export const COLUMNS_MAX = 1000
const COLUMN_NAME_MAX = 200
/** A longer row is refused. */
export const ROW_BYTES_MAX = 1024 * 1024
const SLICE_BYTES = 64 * 1024 * 1024
const SLICE_ROWS = 500_000
/** The first slices are smaller, so that the engine soon has something to do. */
const FIRST_SLICE_ROWS = 125_000
const READ_BYTES = 1024 * 1024
const SHOWN_MAX = 2000

/** A part of the file, one record a line, as the engine reads it. */
export interface Slice {
  number: number
  path: string
  /**
   * `lines`: the file's own lines, free of quotes. `cells`: row number, line number, kind of hash and the cells, with
   * CELL_END between them and LINE_BREAK for line breaks inside.
   */
  layout: 'lines' | 'cells'
  columns: string[]
  separator: string
  /** Data rows before this slice, and the line its first row stands on. */
  firstRow: number
  firstLine: number
  /** Lines in the slice. */
  rows: number
  /** Data rows it was made of: `rows` and those refused already. */
  seen: number
  hasReturns: boolean
  hasBreaks: boolean
  /** Cells may begin or end with one. */
  hasBlanks: boolean
  /** Bytes of the source read so far. */
  bytesRead: number
  /** No other follows. */
  isLast: boolean
}

export interface Refusal {
  line: number
  reason: string
  cells: string[]
}

export interface SliceSource {
  path: string
  /** `prepared`: lines in the layout `cells`, made by the engine from a format that only it reads. */
  format: FileFormat | 'prepared'
  isGzip: boolean
  /** Of a prepared file. */
  columns?: string[]
  directory: string
  /** For an engine on another machine: the layout `cells` throughout, since it numbers no lines. */
  areAllCells?: boolean
  sliceBytes?: number
  sliceRows?: number
}

export interface Cut {
  slice: Slice
  refusals: Refusal[]
}

const NEWLINE = 0x0a
const RETURN = 0x0d

/** Cuts the file into slices of whole records; what no engine could read exactly is refused here, row by row. */
export async function* cutSlices(source: SliceSource): AsyncGenerator<Cut> {
  const reader = openReader(source.path, source.isGzip)
  try {
    yield* cutBytes(source, reader)
  } finally {
    reader.close()
  }
}

async function* cutBytes(source: SliceSource, reader: Reader): AsyncGenerator<Cut> {
  const sliceBytes = source.sliceBytes ?? SLICE_BYTES
  const buffer = Buffer.allocUnsafe(sliceBytes + ROW_BYTES_MAX + 2 * READ_BYTES)
  let have = await reader.fill(buffer, 0, READ_BYTES)
  if (have === 0) throw new FileFault('文件是空的')
  let start = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0
  const place = { number: 0, row: 0, line: 1 }
  let columns = source.columns ?? []
  let separator = ','
  if (source.format === 'csv') {
    const header = readHeader(buffer, start, have, reader.isOver())
    columns = header.columns
    separator = header.separator
    start = header.next
    place.line += header.lines
  }
  const cutter = cutterOf(source, columns, separator)
  buffer.copyWithin(0, start, have)
  have -= start
  let perRow = rowBytes(buffer.subarray(0, have))
  let least = 0
  for (;;) {
    const rows = Math.min(source.sliceRows ?? SLICE_ROWS, FIRST_SLICE_ROWS * 2 ** Math.min(place.number, 20))
    const target = Math.min(sliceBytes, Math.max(READ_BYTES, Math.ceil(perRow * rows)))
    have = await reader.fill(buffer, have, Math.max(target, least))
    const isLast = reader.isOver()
    if (have === 0) return
    const { consumed, ...cut } = cutter(buffer.subarray(0, have), isLast, place)
    if (consumed === 0 && isLast) throw new Error('the cutter stands still')
    // A record that does not end in what was read needs more of it.
    least = consumed === 0 ? have + 1 : 0
    if (cut.slice) {
      perRow = consumed / cut.slice.seen
      const end = { bytesRead: reader.bytesRead(), isLast: isLast && consumed === have }
      yield { slice: { ...cut.slice, ...end }, refusals: cut.refusals }
      place.number++
    }
    buffer.copyWithin(0, consumed, have)
    have -= consumed
    if (isLast && have === 0) return
  }
}

/** The bytes of a row of this file, as far as its beginning tells. */
function rowBytes(sample: Buffer): number {
  return sample.length / Math.max(1, countLines(sample))
}

interface Place {
  number: number
  /** Data rows so far. */
  row: number
  /** The line that the next record begins on. */
  line: number
}
type CutBytes = (
  bytes: Buffer,
  isLast: boolean,
  place: Place,
) => { consumed: number; slice: Omit<Slice, 'bytesRead' | 'isLast'> | null; refusals: Refusal[] }

function cutterOf(source: SliceSource, columns: string[], separator: string): CutBytes {
  if (source.format === 'ndjson') return ndjsonCutter(source.directory)
  if (source.format === 'prepared') return preparedCutter(source.directory, columns)
  return csvCutter(source, columns, separator)
}

const slicePath = (directory: string, number: number) => join(directory, `slice-${number}.txt`)

// CSV

function csvCutter({ directory, areAllCells }: SliceSource, columns: string[], separator: string): CutBytes {
  const strict = strictCutter(directory, columns, separator)
  let isSkipping = false
  return (bytes, isLast, place) => {
    if (isSkipping) {
      const end = bytes.indexOf(NEWLINE)
      isSkipping = end === -1
      return { consumed: isSkipping ? bytes.length : end + 1, slice: null, refusals: [] }
    }
    const end = isLast ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1
    const plain = bytes.subarray(0, end)
    const rows = end === 0 || areAllCells ? null : plainLines(plain)
    if (rows === null) {
      const cut = strict(bytes, isLast, place)
      isSkipping = cut.isSkipping
      return cut
    }
    mustBeUtf8(plain, place.line)
    const slice = {
      number: place.number,
      path: slicePath(directory, place.number),
      layout: 'lines' as const,
      columns,
      separator,
      firstRow: place.row,
      firstLine: place.line,
      rows,
      seen: rows,
      hasReturns: plain.includes(RETURN),
      hasBreaks: false,
      hasBlanks: plain.includes(0x20),
    }
    writeWhole(slice.path, plain)
    place.row += rows
    place.line += rows
    return { consumed: end, slice, refusals: [] }
  }
}

/**
 * How many lines there are, all of them records as they stand: no quotes, no blank or endless lines, no lone returns,
 * none of our own marks. Null where one is not.
 */
function plainLines(bytes: Buffer): number | null {
  if (bytes.includes(0x22) || bytes.includes(CELL_END) || bytes.includes(LINE_BREAK)) return null
  for (let at = bytes.indexOf(RETURN); at !== -1; at = bytes.indexOf(RETURN, at + 1)) {
    if (bytes[at + 1] !== NEWLINE || at === 0 || bytes[at - 1] === NEWLINE) return null
  }
  let lines = 0
  let start = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
    if (at === start || at - start > ROW_BYTES_MAX) return null
    lines++
    start = at + 1
  }
  if (start === bytes.length) return lines
  return bytes.length - start > ROW_BYTES_MAX ? null : lines + 1
}

const PLAIN = 0x70
const SPECIAL = 0x73

/** Reads record by record, and writes those that are whole in the layout `cells`. */
function strictCutter(directory: string, columns: string[], separator: string) {
  const comma = separator.charCodeAt(0)
  const record = emptyRecord()
  return (bytes: Buffer, isLast: boolean, place: Place) => {
    const writer = lineWriter(slicePath(directory, place.number))
    const first = { ...place }
    const refusals: Refusal[] = []
    let at = 0
    let isSkipping = false
    try {
      while (at < bytes.length) {
        if (bytes[at] === NEWLINE || (bytes[at] === RETURN && bytes[at + 1] === NEWLINE)) {
          at += bytes[at] === NEWLINE ? 1 : 2
          place.line++
          continue
        }
        const stop = Math.min(bytes.length, at + ROW_BYTES_MAX)
        const isCutOff = stop < bytes.length
        const { out, from } = writer.begin(place.row + 1, place.line, stop - at)
        readRecord(bytes, at, stop, isLast && !isCutOff, comma, out, from + 2, record)
        if (record.fault === 'more' && !isCutOff && !isLast && bytes.length - at < ROW_BYTES_MAX) break
        place.row++
        if (record.fault === null || record.fault === 'control') {
          const reason =
            record.fault === 'control'
              ? '含有不支持的控制字符'
              : record.columns === columns.length
                ? null
                : raggedReason(record.columns, columns.length)
          if (reason === null) {
            out[from] = record.isSpecial ? SPECIAL : PLAIN
            out[from + 1] = CELL_END
            writer.keep(record.written)
          } else {
            refusals.push({ line: place.line, reason, cells: cellsOf(out.subarray(from + 2, record.written)) })
          }
          at = record.next
          place.line += record.lines
          continue
        }
        // A fault in the quotes costs the line it begins on, and no other.
        const end = bytes.indexOf(NEWLINE, at)
        const isEndless = end === -1 ? bytes.length - at >= ROW_BYTES_MAX : end - at > ROW_BYTES_MAX
        const reason = isEndless ? '单行超过 1 MB' : record.fault === 'quote' ? '引号位置不正确' : '引号没有闭合'
        const to = end === -1 ? bytes.length : end
        refusals.push({
          line: place.line,
          reason,
          cells: [bytes.toString('utf8', at, Math.min(to, at + SHOWN_MAX)).trimEnd()],
        })
        place.line++
        isSkipping = end === -1 && !isLast
        at = end === -1 ? bytes.length : end + 1
      }
    } finally {
      writer.close()
    }
    mustBeUtf8(bytes.subarray(0, at), first.line)
    const seen = place.row - first.row
    const slice = seen === 0 ? null : cellsSlice(writer, columns, { place: first, seen, separator, hasBreaks: true })
    return { consumed: at, slice, refusals, isSkipping }
  }
}

export const raggedReason = (has: number, wants: number) => `有 ${has} 列，应为 ${wants} 列`

const cellsOf = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes.subarray(0, SHOWN_MAX))
    .toString('utf8')
    .split('\u001f')
    .map((cell) => cell.replaceAll('\u001e', '\n'))

const cellsSlice = (
  writer: { path: string; rows(): number },
  columns: string[],
  { place, seen, separator, hasBreaks }: { place: Place; seen: number; separator: string; hasBreaks: boolean },
) => ({
  number: place.number,
  path: writer.path,
  layout: 'cells' as const,
  columns,
  separator,
  firstRow: place.row,
  firstLine: place.line,
  rows: writer.rows(),
  seen,
  hasReturns: false,
  hasBreaks,
  hasBlanks: true,
})

// NDJSON

/** An object a line. Columns are the keys in the order they are met; a line without one has an empty cell. */
function ndjsonCutter(directory: string): CutBytes {
  const columns: string[] = []
  const known = new Map<string, number>()
  const addColumn = (name: string): number => {
    const at = columns.push(checkedName(name)) - 1
    if (columns.length > COLUMNS_MAX) throw new FileFault(`列数超过 ${COLUMNS_MAX}`)
    known.set(name, at)
    return at
  }
  let isSkipping = false
  return (bytes, isLast, place) => {
    if (isSkipping) {
      const end = bytes.indexOf(NEWLINE)
      isSkipping = end === -1
      return { consumed: isSkipping ? bytes.length : end + 1, slice: null, refusals: [] }
    }
    const writer = lineWriter(slicePath(directory, place.number))
    const first = { ...place }
    const refusals: Refusal[] = []
    let at = 0
    try {
      while (at < bytes.length) {
        const end = bytes.indexOf(NEWLINE, at)
        if (end === -1 && !isLast && bytes.length - at < ROW_BYTES_MAX) break
        const to = end === -1 ? bytes.length : end
        const isTooLong = to - at > ROW_BYTES_MAX
        const text = bytes.toString('utf8', at, isTooLong ? at + SHOWN_MAX : to).trim()
        if (text !== '') {
          place.row++
          const read: JsonLine = isTooLong ? { reason: '单行超过 1 MB' } : jsonLine(text, known, addColumn)
          if ('reason' in read)
            refusals.push({ line: place.line, reason: read.reason, cells: [text.slice(0, SHOWN_MAX)] })
          else writer.line(`${place.row}\u001f${place.line}\u001f${read.hash}\u001f${read.cells.join('\u001f')}`)
        }
        place.line++
        isSkipping = end === -1 && !isLast
        at = end === -1 ? bytes.length : end + 1
      }
    } finally {
      writer.close()
    }
    mustBeUtf8(bytes.subarray(0, at), first.line)
    const seen = place.row - first.row
    const slice =
      seen === 0 ? null : cellsSlice(writer, [...columns], { place: first, seen, separator: ',', hasBreaks: true })
    return { consumed: at, slice, refusals }
  }
}

// Prepared

function preparedCutter(directory: string, columns: string[]): CutBytes {
  return (bytes, isLast, place) => {
    const end = isLast ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1
    if (end === 0) throw new FileFault('单行超过 1 MB')
    const path = slicePath(directory, place.number)
    const lines = bytes.subarray(0, end)
    writeWhole(path, lines)
    const rows = countLines(lines)
    const slice = cellsSlice({ path, rows: () => rows }, columns, {
      place,
      seen: rows,
      separator: ',',
      hasBreaks: true,
    })
    place.row += rows
    place.line += rows
    return { consumed: end, slice, refusals: [] }
  }
}

// Headers

export interface Header {
  columns: string[]
  separator: string
  next: number
  lines: number
}

/** The names in the first line that is not blank. */
export function readHeader(bytes: Buffer, start: number, end: number, isLast: boolean): Header {
  let at = start
  let lines = 0
  while (at < end && (bytes[at] === NEWLINE || bytes[at] === RETURN)) {
    if (bytes[at] === NEWLINE) lines++
    at++
  }
  if (at === end) throw new FileFault('文件是空的')
  const lineEnd = bytes.indexOf(NEWLINE, at)
  const separator = separatorOf(bytes.toString('utf8', at, lineEnd === -1 ? end : lineEnd))
  const out = Buffer.allocUnsafe(end - at)
  const record = readRecord(bytes, at, end, isLast, separator.charCodeAt(0), out, 0, emptyRecord())
  if (record.fault === 'more') throw new FileFault('首行过长，找不到列名')
  if (record.fault) throw new FileFault('首行的引号不正确，无法读出列名')
  mustBeUtf8(bytes.subarray(at, record.next), lines + 1)
  const names = out.toString('utf8', 0, record.written).split('\u001f')
  const columns = names.map((name, index) => checkedName(name.replaceAll('\u001e', ' ').trim() || `列${index + 1}`))
  if (columns.length > COLUMNS_MAX) throw new FileFault(`列数超过 ${COLUMNS_MAX}`)
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index)
  if (repeated !== undefined) throw new FileFault(`列名「${repeated}」重复`)
  return { columns, separator, next: record.next, lines: lines + record.lines }
}

function checkedName(name: string): string {
  if (name.length > COLUMN_NAME_MAX) throw new FileFault(`列名「${name.slice(0, 20)}…」超过 ${COLUMN_NAME_MAX} 个字符`)
  return name
}

// Bytes

interface Reader {
  /** Reads until `buffer` holds `target` bytes or the file is over; answers how many it holds. */
  fill(buffer: Buffer, have: number, target: number): Promise<number>
  isOver(): boolean
  bytesRead(): number
  close(): void
}

function openReader(path: string, isGzip: boolean): Reader {
  const file = createReadStream(path, { highWaterMark: READ_BYTES })
  const bytes: Readable = isGzip ? file.pipe(createGunzip({ chunkSize: READ_BYTES })) : file
  if (isGzip) file.on('error', (error) => bytes.destroy(error))
  const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let next: Promise<IteratorResult<Buffer>> | undefined
  let isOver = false
  const pull = () => chunks.next().catch(asFileFault)
  return {
    async fill(buffer, have, target) {
      while (!isOver && have < target) {
        const chunk = await (next ?? pull())
        next = undefined
        if (chunk.done) {
          isOver = true
          break
        }
        chunk.value.copy(buffer, have)
        have += chunk.value.length
      }
      if (!isOver) {
        // Whether this was the last of it must be known before it is cut.
        next ??= pull()
        isOver = (await next).done === true
      }
      return have
    },
    isOver: () => isOver,
    bytesRead: () => file.bytesRead,
    close: () => {
      file.destroy()
      bytes.destroy()
    },
  }
}

function asFileFault(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw new FileFault('文件不存在或已被移走')
  if (error.code === 'EACCES') throw new FileFault('没有权限读取该文件')
  if (error.code?.startsWith('Z_')) throw new FileFault('压缩文件不完整或已损坏')
  if (error.code === 'EIO' || error.code === 'ESTALE') throw new FileFault('读取文件时磁盘出错')
  throw error
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++
  return lines
}

function mustBeUtf8(bytes: Buffer, firstLine: number): void {
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

function writeWhole(path: string, bytes: Uint8Array): void {
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
function lineWriter(path: string) {
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
