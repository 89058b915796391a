import { createReadStream, createWriteStream, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { quote, quoteName } from '../clickhouse/bind.ts'
import type { Engine } from '../clickhouse/open.ts'
import { FileFault } from './file-fault.ts'
import { COLUMNS_MAX, type SliceSource } from './slice.ts'

/** The file under a name of ours: no name that a user gave reaches the engine. */
export async function parquetAt(path: string, isGzip: boolean, directory: string): Promise<string> {
  const own = join(directory, 'source.parquet')
  if (isGzip) {
    await pipeline(createReadStream(path), createGunzip(), createWriteStream(own)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code?.startsWith('Z_')) throw new FileFault('压缩文件不完整或已损坏')
        throw error
      },
    )
  } else symlinkSync(path, own)
  return own
}

const fileSql = (path: string) => `file(${quote(path)}, 'Parquet')`

export async function parquetColumns(load: Engine, path: string): Promise<{ name: string; type: string }[]> {
  if (!load.readsFiles) throw new FileFault('外部 ClickHouse 暂不支持直接导入 Parquet，请转换为 CSV')
  try {
    const columns = await load.query<{ name: string; type: string }>(`DESCRIBE TABLE ${fileSql(path)}`)
    if (columns.length > COLUMNS_MAX) throw new FileFault(`列数超过 ${COLUMNS_MAX}`)
    return columns
  } catch (error) {
    if (error instanceof FileFault) throw error
    throw new FileFault('Parquet 文件不完整或已损坏')
  }
}

/**
 * A value as text; a moment that the file gives in UTC says so, whatever the deployment's time zone. Bytes that are no
 * text are written in hex: what is read back of them would be another value.
 */
export function parquetText({ name, type }: { name: string; type: string }): string {
  const column = quoteName(name)
  const plain = `toString(${column})`
  if (/^(Nullable\(|LowCardinality\()*(Fixed)?String/.test(type)) {
    return `ifNull(if(isValidUTF8(${plain}), ${plain}, lower(hex(${column}))), '')`
  }
  const text = /DateTime.*UTC/.test(type) ? `concat(${plain}, 'Z')` : plain
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
  try {
    await load.command(
      `INSERT INTO FUNCTION file(${quote(prepared)}, 'LineAsString', 'line String')
       SELECT concatWithSeparator('\\x1f', toString(${row}), toString(${row}), 's', ${cells.join(', ')})
       FROM (SELECT *, _row_number + 1 AS ${row} FROM ${fileSql(own)}) ORDER BY ${row}`,
    )
  } catch (error) {
    if (/CANNOT_READ|INCORRECT_DATA|PARQUET|Parquet|Thrift|UNEXPECTED_END/.test(String(error))) {
      throw new FileFault('Parquet 文件不完整或已损坏')
    }
    throw error
  }
  return { path: prepared, format: 'prepared', isGzip: false, directory, columns: columns.map((column) => column.name) }
}
