import { outcome } from '#contract/outcomes/make.ts'
import { isEngineError } from '../clickhouse/engine-error.ts'
import type { ThisMachine } from '../clickhouse/handles.ts'
import { FileFault } from './file-fault.ts'
import {
  fileSql,
  freeName,
  type ParquetColumn,
  type ParquetFile,
  parquetColumns,
  parquetText,
  ROW_NUMBER,
  readInBlocks,
  readingParquet,
} from './parquet.ts'
import { CELL_SHOWN, HEAD_BYTES, PREVIEW_MEMORY, PREVIEW_SECONDS, previewTimedOut } from './preview-limits.ts'
import type { Head } from './text-head.ts'

/** Rows per block where rows are short. With small blocks, a file of many rows would take many of them. */
const BLOCK_ROWS = 1024

const SETTINGS = {
  max_memory_usage: PREVIEW_MEMORY,
  max_execution_time: PREVIEW_SECONDS,
  max_threads: 1,
  input_format_parquet_memory_low_watermark: 0,
  input_format_parquet_memory_high_watermark: PREVIEW_MEMORY / 8,
  // Otherwise the sort keeps whole cells and cuts them afterwards.
  query_plan_execute_functions_after_sorting: 0,
}

/** The columns of a Parquet file and its first rows: the engine cuts the cells and stops after HEAD_BYTES of JSON. */
export async function parquetHead(
  fileEngine: ThisMachine,
  file: ParquetFile,
  lines: number,
  signal?: AbortSignal,
): Promise<Head> {
  const options = { settings: SETTINGS, ...(signal ? { signal } : {}) }
  try {
    const columns = await parquetColumns(fileEngine, file, options)
    const names = columns.map((column) => column.name)
    if (lines === 0) return { columns: names, rows: [], isWhole: false }
    const sql = headSql(file, columns, lines)
    const read = (rowsAtOnce: number) =>
      readingParquet(() =>
        fileEngine.query<{ cells: string[] }>(
          sql,
          {},
          { ...options, settings: { ...SETTINGS, input_format_parquet_max_block_size: rowsAtOnce } },
        ),
      )
    const rows = await readInBlocks([BLOCK_ROWS, lines, 1], read)
    const shown = rows.map(({ cells }, at) => ({ line: at + 1, cells, refused: null }))
    return { columns: names, rows: shown, isWhole: false }
  } catch (error) {
    if (isEngineError(error, 'memory'))
      throw new FileFault(outcome('preview_out_of_memory', { mb: PREVIEW_MEMORY / 1024 ** 2 }))
    if (isEngineError(error, 'server_memory')) throw new FileFault(outcome('preview_server_out_of_memory'))
    if (isEngineError(error, 'timeout')) throw previewTimedOut()
    throw error
  }
}

function headSql({ path }: ParquetFile, columns: readonly ParquetColumn[], lines: number): string {
  const own = freeName('cells', columns)
  const cells = columns.map((column) => `substringUTF8(${parquetText(column)}, 1, ${CELL_SHOWN})`)
  return `SELECT cells FROM (
      SELECT ${ROW_NUMBER} AS n, ${own} AS cells,
        sum(length(toJSONString(cells))) OVER (ORDER BY n ROWS UNBOUNDED PRECEDING) AS bytes
      FROM (SELECT ${ROW_NUMBER}, [${cells.join(', ')}] AS ${own}
            FROM (SELECT *, ${ROW_NUMBER} FROM ${fileSql(path)} LIMIT ${lines})))
    WHERE bytes <= ${HEAD_BYTES} ORDER BY n`
}
