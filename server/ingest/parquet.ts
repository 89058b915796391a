import { createReadStream, createWriteStream, symlinkSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ZIP_RATIO_MAX } from '#contract/upload.ts'
import { quote, quoteName } from '../clickhouse/bind.ts'
import type { Engine } from '../clickhouse/open.ts'
import { isDiskFull, wordsOf } from '../storage/disk-full.ts'
import { FileFault } from './file-fault.ts'
import { COLUMNS_MAX, checkedName, type SliceSource } from './slice.ts'

/** The file under a name of ours: no name that a user gave reaches the engine. */
export async function parquetAt(path: string, isGzip: boolean, directory: string): Promise<string> {
  const own = join(directory, 'source.parquet')
  if (isGzip) {
    const most = Math.max(DENSE_BYTES, (await stat(path)).size * ZIP_RATIO_MAX)
    await pipeline(createReadStream(path), createGunzip(), upTo(most), createWriteStream(own)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code?.startsWith('Z_')) throw new FileFault('压缩文件不完整或已损坏')
        throw error
      },
    )
  } else symlinkSync(path, own)
  return own
}

/** A smaller file may be as dense as it likes. */
const DENSE_BYTES = 64 * 1024 ** 2

/** Parquet is compressed in itself: what gzip makes so much smaller again would only fill the disk. */
const upTo = (most: number) =>
  async function* (chunks: AsyncIterable<Buffer>) {
    let out = 0
    for await (const chunk of chunks) {
      out += chunk.length
      if (out > most) throw new FileFault(`压缩比超过 ${ZIP_RATIO_MAX} 倍，可能是压缩炸弹，已停止解压`)
      yield chunk
    }
  }

/** What the engine calls the number of a row. */
const ROW_NUMBER = '_row_number'
// biome-ignore lint/suspicious/noControlCharactersInRegex: no name that the records and the lines between can hold has them.
const CONTROL = /[\u0000-\u001f]/

const fileSql = (path: string) => `file(${quote(path)}, 'Parquet')`

export interface ParquetColumn {
  name: string
  type: string
  /** Its moments are those of a clock on a wall, of no time zone. */
  isLocal: boolean
}

export async function parquetColumns(load: Engine, path: string): Promise<ParquetColumn[]> {
  if (!load.readsFiles) throw new FileFault('外部 ClickHouse 暂不支持直接导入 Parquet，请转换为 CSV')
  const [columns, local] = await readingParquet(() =>
    Promise.all([
      load.query<{ name: string; type: string }>(`DESCRIBE TABLE ${fileSql(path)}`),
      // The engine calls them UTC.
      load.query<{ path: string }>(
        `SELECT c.path AS path FROM file(${quote(path)}, 'ParquetMetadata') ARRAY JOIN columns AS c
         WHERE startsWith(c.logical_type, 'Timestamp(isAdjustedToUTC=false')`,
      ),
    ]),
  )
  if (columns.length > COLUMNS_MAX) throw new FileFault(`列数超过 ${COLUMNS_MAX}`)
  const unfit = columns.find(({ name }) => name === ROW_NUMBER || CONTROL.test(name))
  if (unfit) throw new FileFault(`列名「${unfit.name.replace(CONTROL, ' ')}」不能使用，请改名后导入`)
  const paths = new Set(local.map((column) => column.path))
  return columns.map(({ name, type }) => ({ name: checkedName(name), type, isLocal: paths.has(name) }))
}

/** What is wrong with the machine; anything else that the engine says of a file that it reads is the file's fault. */
const OF_THE_MACHINE = /MEMORY_LIMIT|CANCELLED|TIMEOUT|TOO_MANY_SIMULTANEOUS/

/** Reads a file, and says in words that it is damaged. */
export async function readingParquet<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const said = wordsOf(error)
    const isOfEngine = error instanceof Error && 'type' in error
    if (!isOfEngine || isDiskFull(error) || OF_THE_MACHINE.test(said)) throw error
    const isRepeated = /column with this name already exists/.test(said)
    throw new FileFault(isRepeated ? 'Parquet 文件中有重复的列名' : 'Parquet 文件不完整或已损坏')
  }
}

/**
 * A value as text; a moment that the file gives in UTC says so, whatever the deployment's time zone, and one of a clock
 * on a wall is of that zone, as in any other file. Bytes that are no text are written in hex: what is read back of them
 * would be another value.
 */
export function parquetText({ name, type, isLocal }: ParquetColumn): string {
  const column = quoteName(name)
  const plain = `toString(${column})`
  if (/^(Nullable\(|LowCardinality\()*(Fixed)?String/.test(type)) {
    return `ifNull(if(isValidUTF8(${plain}), ${plain}, lower(hex(${column}))), '')`
  }
  if (!/DateTime.*UTC/.test(type)) return `ifNull(${plain}, '')`
  const text = isLocal ? `replaceRegexpOne(${plain}, '[.]0+$', '')` : `concat(${plain}, 'Z')`
  return `ifNull(${text}, '')`
}

/** Writes the rows as lines that are cut like any other file's. */
export async function prepareParquet(
  load: Engine,
  path: string,
  isGzip: boolean,
  directory: string,
): Promise<SliceSource> {
  const own = await parquetAt(path, isGzip, directory)
  const columns = await parquetColumns(load, own)
  const prepared = join(directory, 'prepared.txt')
  // A name that no column has: two of one name cannot be told apart.
  let row = 'n'
  while (columns.some((column) => column.name === row)) row += '_'
  const cells = columns.map((column) => `translate(${parquetText(column)}, '\\n\\x1e\\x1f\\x00', '\\x1e   ')`)
  await readingParquet(() =>
    load.command(
      `INSERT INTO FUNCTION file(${quote(prepared)}, 'LineAsString', 'line String')
       SELECT concatWithSeparator('\\x1f', toString(${row}), toString(${row}), 's', ${cells.join(', ')})
       FROM (SELECT *, ${ROW_NUMBER} + 1 AS ${row} FROM ${fileSql(own)}) ORDER BY ${row}`,
    ),
  )
  return { path: prepared, format: 'prepared', isGzip: false, directory, columns: columns.map((column) => column.name) }
}
