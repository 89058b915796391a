import { join } from 'node:path'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { outcome } from '#contract/outcomes/make.ts'
import type { TextEncoding } from '#contract/text-encoding.ts'
import { FileFault } from './file-fault.ts'
import type { FileFormat } from './file-format.ts'

export const COLUMNS_MAX = 1000
const COLUMN_NAME_MAX = 200
/** The most characters shown of a row that cannot be read. */
export const SHOWN_MAX = 2000

/** In place of the kind of hash: the prepared line holds only the beginning of a row that was too long. */
export const LONG_ROW = 'l'

/** A part of the file as the engine reads it, one record per line. */
export interface Slice {
  number: number
  path: string
  /**
   * `lines`: the file's own lines, without quotes. `cells`: row number, line number, kind of hash and the cells, separated
   * by CELL_END, with LINE_BREAK for line breaks inside cells.
   */
  layout: 'lines' | 'cells'
  columns: string[]
  separator: string
  /** Data rows before this slice, and the line of its first row. */
  firstRow: number
  firstLine: number
  /** Lines in the slice. */
  rows: number
  /** Data rows read: `rows` and those already refused. */
  seen: number
  hasReturns: boolean
  hasBreaks: boolean
  /** Cells may begin or end with a blank. */
  hasBlanks: boolean
  /** Bytes of the source read so far. */
  bytesRead: number
  /** No slice follows. */
  isLast: boolean
  /** A file with the lines as they were read, where they cannot be made from the cells again. */
  originals?: string
}

export interface Refusal {
  line: number
  outcome: AnyOutcome
  /** The outcome that the report counts, if it is another. */
  countedAs?: AnyOutcome
  /** null where they must not be shown. */
  cells: string[] | null
}

export interface SliceSource {
  path: string
  /** `prepared`: lines in the layout `cells`, written by the engine from a format that only it can read. */
  format: FileFormat | 'prepared'
  isGzip: boolean
  /** Of a text; UTF-8 where it is not given. */
  encoding?: TextEncoding
  /** The most bytes that a gzip may unpack to. */
  unpackedLimit?: number
  /** Of a prepared file. */
  columns?: string[]
  directory: string
  /** Always uses the layout `cells`, for a remote engine, which does not number lines. */
  areAllCells?: boolean
  sliceBytes?: number
  sliceRows?: number
}

export interface Cut {
  slice: Slice
  refusals: Refusal[]
}

export interface Place {
  number: number
  /** Data rows so far. */
  row: number
  /** The line where the next record begins. */
  line: number
}
/** Cuts a slice of whole records from the bytes read; answers how many bytes it used. */
export type CutBytes = (
  bytes: Buffer,
  isLast: boolean,
  place: Place,
) => { consumed: number; slice: Omit<Slice, 'bytesRead' | 'isLast'> | null; refusals: Refusal[] }

export const slicePath = (directory: string, number: number) => join(directory, `slice-${number}.txt`)

export function checkedName(name: string): string {
  if (name.length > COLUMN_NAME_MAX)
    throw new FileFault(
      outcome('file_column_too_long', { name: name.slice(0, 20).toWellFormed(), max: COLUMN_NAME_MAX }),
    )
  return name
}

/** A slice in the layout `cells`. */
export const cellsSlice = (
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
