import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ROW_BYTES_MAX } from '#contract/file-limits.ts'
import { outcome } from '#contract/outcomes/make.ts'
import { quote } from '../clickhouse/bind.ts'
import { isEngineError } from '../clickhouse/engine-error.ts'
import type { ThisMachine } from '../clickhouse/handles.ts'
import { memory } from '../config/memory.ts'
import { FileFault } from './file-fault.ts'
import {
  fileSql,
  freeName,
  type ParquetColumn,
  type ParquetFile,
  parquetAt,
  parquetColumns,
  parquetText,
  ROW_NUMBER,
  readInBlocks,
  readingParquet,
} from './parquet.ts'
import { LONG_ROW, SHOWN_MAX, type SliceSource } from './slice.ts'
import { unpackedLimit, unpackedSizeFault } from './unpacked.ts'

/** The engine's base memory limit for writing the lines; it grows with the file, up to a share of the machine's memory. */
const LINES_MEMORY = 1024 ** 3
const LINES_MEMORY_PER_BYTE = 16
const LINES_MEMORY_SHARE = 0.4
/** The engine's own block size, then smaller ones: very long rows only fit one at a time. */
const BLOCK_ROWS = 65_409
const FEW_ROWS = 256
/** Two minutes, plus a second for each megabyte of the file, which allows a hundredth of the usual speed. */
const LINES_SECONDS = 120
const BYTES_PER_SECOND = 1_000_000

/** Writes the rows as lines that are sliced like any other file's; a row that is too long keeps only its beginning. */
export async function prepareParquet(
  fileEngine: ThisMachine,
  path: string,
  isGzip: boolean,
  directory: string,
  signal?: AbortSignal,
): Promise<SliceSource> {
  const file = await parquetAt(path, isGzip, directory, signal)
  const settings = settingsFor(file)
  const options = signal ? { signal } : {}
  const prepared = join(directory, 'prepared.txt')
  try {
    const columns = await parquetColumns(fileEngine, file, { settings, ...options })
    const sql = `INSERT INTO FUNCTION file(${quote(prepared)}, 'LineAsString', 'line String') ${linesSql(file, columns)}`
    await readInBlocks([BLOCK_ROWS, FEW_ROWS, 1], (rowsAtOnce) => {
      const blocks = {
        input_format_parquet_max_block_size: rowsAtOnce,
        engine_file_truncate_on_insert: 1,
        ...(rowsAtOnce === BLOCK_ROWS ? {} : { max_threads: 1 }),
      }
      return readingParquet(() => fileEngine.command(sql, {}, { settings: { ...settings, ...blocks }, ...options }))
    })
    if ((await stat(prepared)).size > unpackedLimit(file.size, 'parquet')) throw unpackedSizeFault()
    const names = columns.map((column) => column.name)
    return { path: prepared, format: 'prepared', isGzip: false, directory, columns: names }
  } catch (error) {
    if (isEngineError(error, 'memory')) throw new FileFault(outcome('file_cells_too_large'))
    if (isEngineError(error, 'timeout')) throw new FileFault(outcome('file_unpacks_too_slowly'))
    throw error
  }
}

function settingsFor({ size }: ParquetFile): Record<string, number> {
  const max_memory_usage = Math.floor(
    Math.min(memory * LINES_MEMORY_SHARE, LINES_MEMORY + size * LINES_MEMORY_PER_BYTE),
  )
  return {
    max_memory_usage,
    input_format_parquet_memory_high_watermark: Math.floor(max_memory_usage / 4),
    max_execution_time: LINES_SECONDS + Math.ceil(size / BYTES_PER_SECOND),
    // Per thread, with the overhead of short rows; the written file itself is measured exactly.
    max_bytes_to_sort: 2 * unpackedLimit(size, 'parquet'),
    // Otherwise whole rows are sorted and cut afterwards.
    query_plan_execute_functions_after_sorting: 0,
  }
}

function linesSql({ path }: ParquetFile, columns: readonly ParquetColumn[]): string {
  const row = freeName('n', columns)
  const cells = columns.map((column) => `translate(${parquetText(column)}, '\\n\\x1e\\x1f\\x00', '\\x1e   ')`)
  const lineOf = (row: string, kind: string, rest: string) =>
    `concatWithSeparator('\\x1f', toString(${row}), toString(${row}), ${quote(kind)}, ${rest})`
  const beforeCells = '(2 * length(toString(n)) + 4)'
  const beginning = `substringUTF8(substring(line, ${beforeCells} + 1), 1, ${SHOWN_MAX})`
  return `SELECT if(length(line) - ${beforeCells} <= ${ROW_BYTES_MAX}, line, ${lineOf('n', LONG_ROW, beginning)})
    FROM (SELECT ${row} AS n, ${lineOf(row, 's', cells.join(', '))} AS line
          FROM (SELECT *, ${ROW_NUMBER} + 1 AS ${row} FROM ${fileSql(path)})) ORDER BY n`
}
