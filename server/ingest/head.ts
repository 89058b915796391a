import { isUtf8 } from 'node:buffer'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { quote } from '../clickhouse/bind.ts'
import type { Engine } from '../clickhouse/open.ts'
import { readHeader } from './csv-header.ts'
import { emptyRecord, readRecord } from './csv-record.ts'
import { FileFault } from './file-fault.ts'
import { type FileFormat, kindOf } from './file-format.ts'
import { jsonLine } from './json-line.ts'
import { parquetAt, parquetColumns, parquetText, readingParquet } from './parquet.ts'

export interface FileHead {
  format: FileFormat
  columns: string[]
  rows: string[][]
}

const HEAD_BYTES = 4 * 1024 * 1024
const CELL_MAX = 500

/** The columns of a file and its first rows, as an import would read them; rows that it would refuse are left out. */
export async function headOf(load: Engine, path: string, name: string, lines: number): Promise<FileHead> {
  const kind = await kindOf(path, name)
  const head =
    kind.format === 'parquet'
      ? await parquetHead(load, path, kind.isGzip, lines)
      : textHead(kind.format, await firstBytes(path, kind.isGzip), lines)
  return {
    format: kind.format,
    columns: head.columns,
    rows: head.rows.map((row) => head.columns.map((_, at) => (row[at] ?? '').slice(0, CELL_MAX))),
  }
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
    // A preview shows what can be read; the import itself says that the rest is missing.
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error
    if (size === 0) throw new FileFault('压缩文件不完整或已损坏')
  } finally {
    file.destroy()
    stream.destroy()
  }
  return { bytes: Buffer.concat(chunks), isWhole: size < HEAD_BYTES }
}

function textHead(format: 'csv' | 'ndjson', { bytes, isWhole }: { bytes: Buffer; isWhole: boolean }, lines: number) {
  const end = isWhole ? bytes.length : bytes.lastIndexOf(0x0a) + 1
  const whole = end === 0 ? bytes : bytes.subarray(0, end)
  if (!isUtf8(whole)) throw new FileFault('文件不是 UTF-8 编码，请另存为 UTF-8 后导入')
  const start = whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? 3 : 0
  return format === 'csv' ? csvHead(whole, start, lines) : ndjsonHead(whole.toString('utf8', start), lines)
}

function csvHead(bytes: Buffer, start: number, lines: number) {
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

function ndjsonHead(text: string, lines: number) {
  const columns: string[] = []
  const known = new Map<string, number>()
  const rows: string[][] = []
  for (const line of text.split('\n')) {
    if (rows.length === lines) break
    if (line.trim() === '') continue
    const read = jsonLine(line.trim(), known, (name) => {
      known.set(name, columns.push(name) - 1)
      return columns.length - 1
    })
    if ('cells' in read) rows.push(read.cells.map((cell) => cell.replaceAll('\u001e', '\n')))
  }
  if (columns.length === 0) throw new FileFault('没有找到 JSON 对象')
  return { columns, rows }
}

async function parquetHead(load: Engine, path: string, isGzip: boolean, lines: number) {
  const directory = mkdtempSync(join(tmpdir(), 'renqun-head-'))
  try {
    const own = await parquetAt(path, isGzip, directory)
    const columns = await parquetColumns(load, own)
    const rows = await readingParquet(() =>
      load.query<{ cells: string[] }>(
        `SELECT [${columns.map(parquetText).join(', ')}] AS cells FROM file(${quote(own)}, 'Parquet') LIMIT ${lines}`,
      ),
    )
    return { columns: columns.map((column) => column.name), rows: rows.map((row) => row.cells) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
