import { createReadStream, createWriteStream, symlinkSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { outcome } from '#contract/outcomes/make.ts'
import { quote, quoteName } from '../clickhouse/bind.ts'
import type { QueryOptions } from '../clickhouse/engine.ts'
import { type EngineErrorCode, isEngineError } from '../clickhouse/engine-error.ts'
import type { ThisMachine } from '../clickhouse/handles.ts'
import { asFileFault, FileFault } from './file-fault.ts'
import { COLUMNS_MAX, checkedName } from './slice.ts'
import { unpackedLimit, unpackedSizeFault } from './unpacked.ts'

export interface ParquetFile {
  path: string
  /** Bytes of the uploaded file, packed if it is gzipped. */
  size: number
}

/** Links or unpacks the file under a name of ours, so that no user's file name reaches the engine. */
export async function parquetAt(
  path: string,
  isGzip: boolean,
  directory: string,
  signal?: AbortSignal,
): Promise<ParquetFile> {
  const own = join(directory, 'source.parquet')
  const { size } = await stat(path)
  if (isGzip) {
    const packed = createReadStream(path)
    const steps = [packed, createGunzip(), upTo(unpackedLimit(size, 'gzip')), createWriteStream(own)] as const
    await pipeline(...steps, { signal }).catch((error: unknown) => {
      signal?.throwIfAborted()
      throw asFileFault(error)
    })
  } else symlinkSync(path, own)
  return { path: own, size }
}

/** Parquet is compressed already; a gzip that shrinks it far more is a bomb. */
const upTo = (most: number) =>
  async function* (chunks: AsyncIterable<Buffer>) {
    let out = 0
    for await (const chunk of chunks) {
      out += chunk.length
      if (out > most) throw unpackedSizeFault()
      yield chunk
    }
  }

/** The engine's name for the row number. */
export const ROW_NUMBER = '_row_number'
// biome-ignore lint/suspicious/noControlCharactersInRegex: names with these cannot be stored in Postgres or in prepared lines.
const CONTROL = /[\u0000-\u001f]/
/** A struct has one leaf per field. Files with more leaves, or longer paths, are refused before columns are described. */
const LEAVES_MAX = 20 * COLUMNS_MAX
const PATHS_BYTES_MAX = 4 * 1024 ** 2

export const fileSql = (path: string) => `file(${quote(path)}, 'Parquet')`

export interface ParquetColumn {
  name: string
  type: string
  /** Its times are without a time zone. */
  isLocal: boolean
}

/** The columns; refuses a file that unpacks to too much according to its footer. */
export async function parquetColumns(
  fileEngine: ThisMachine,
  { path, size }: ParquetFile,
  options: QueryOptions = {},
): Promise<ParquetColumn[]> {
  const metadata = `file(${quote(path)}, 'ParquetMetadata')`
  const [footer] = await readingParquet(() =>
    fileEngine.query<{ leaves: number; paths: number; unpacked: number }>(
      `SELECT num_columns AS leaves, arraySum(c -> length(c.path), columns) AS paths,
         toFloat64(total_uncompressed_size) AS unpacked FROM ${metadata}`,
      {},
      options,
    ),
  )
  if (!footer || footer.unpacked > unpackedLimit(size, 'parquet')) throw unpackedSizeFault()
  if (footer.leaves > LEAVES_MAX || footer.paths > PATHS_BYTES_MAX)
    throw new FileFault(outcome('file_too_many_columns', { max: COLUMNS_MAX }))
  const [columns, local] = await readingParquet(() =>
    Promise.all([
      fileEngine.query<{ name: string; type: string }>(`DESCRIBE TABLE ${fileSql(path)}`, {}, options),
      // The engine gives these columns the time zone UTC.
      fileEngine.query<{ path: string }>(
        `SELECT c.path AS path FROM ${metadata} ARRAY JOIN columns AS c
         WHERE startsWith(c.logical_type, 'Timestamp(isAdjustedToUTC=false')`,
        {},
        options,
      ),
    ]),
  )
  if (columns.length > COLUMNS_MAX) throw new FileFault(outcome('file_too_many_columns', { max: COLUMNS_MAX }))
  for (const { name } of columns) checkedName(name)
  const unfit = columns.find(({ name }) => name === ROW_NUMBER || CONTROL.test(name))
  if (unfit)
    throw new FileFault(outcome('file_column_unusable', { name: unfit.name.replace(new RegExp(CONTROL, 'g'), ' ') }))
  const paths = new Set(local.map((column) => column.path))
  return columns.map(({ name, type }) => ({ name, type, isLocal: paths.has(name) }))
}

/** A name that no column has, since the engine cannot distinguish two equal names. */
export function freeName(name: string, columns: readonly ParquetColumn[]): string {
  let free = name
  while (columns.some((column) => column.name === free)) free += '_'
  return free
}

/** Errors of the machine or its load; every other engine error is the file's fault. */
const OF_THE_MACHINE: readonly EngineErrorCode[] = [
  'memory',
  'server_memory',
  'cancelled',
  'timeout',
  'busy',
  'disk_full',
  'away',
]

/** Turns engine errors about a damaged file into a FileFault. */
export async function readingParquet<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!isEngineError(error) || OF_THE_MACHINE.includes(error.code)) throw error
    if (error.code === 'too_many_rows') throw unpackedSizeFault()
    throw new FileFault(
      outcome(error.code === 'duplicate_column' ? 'file_parquet_columns_repeated' : 'file_parquet_broken'),
    )
  }
}

/** Tries again with fewer rows at once while a block exceeds the statement's memory. */
export async function readInBlocks<T>(sizes: readonly number[], read: (rowsAtOnce: number) => Promise<T>): Promise<T> {
  const [rowsAtOnce = 1, ...fewer] = sizes
  try {
    return await read(rowsAtOnce)
  } catch (error) {
    if (fewer.length === 0 || !isEngineError(error, 'memory')) throw error
    return readInBlocks(fewer, read)
  }
}

/**
 * A value as text. A time in UTC is marked as such; a time without a zone is left in the deployment's time zone, as in
 * any other file. Bytes that are not UTF-8 are written in hex, since text would change them.
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
