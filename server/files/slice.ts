import { join } from 'node:path'
import { FileFault } from './file-fault.ts'
import type { FileFormat } from './file-format.ts'

export const COLUMNS_MAX = 1000
const COLUMN_NAME_MAX = 200
/** What is shown of a row that cannot be read. */
export const SHOWN_MAX = 2000

/** Stands for the kind of hash in a prepared line whose row was too long: it holds the row's beginning. */
export const LONG_ROW = 'l'

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
  /** What the report counts it as, where that is not the reason itself. */
  countedAs?: string
  cells: string[]
}

export interface SliceSource {
  path: string
  /** `prepared`: lines in the layout `cells`, made by the engine from a format that only it reads. */
  format: FileFormat | 'prepared'
  isGzip: boolean
  /** Bytes that a gzip may unpack to. */
  unpackedMost?: number
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

export interface Place {
  number: number
  /** Data rows so far. */
  row: number
  /** The line that the next record begins on. */
  line: number
}
/** Cuts what was read into a slice of whole records; tells how many bytes it took. */
export type CutBytes = (
  bytes: Buffer,
  isLast: boolean,
  place: Place,
) => { consumed: number; slice: Omit<Slice, 'bytesRead' | 'isLast'> | null; refusals: Refusal[] }

export const slicePath = (directory: string, number: number) => join(directory, `slice-${number}.txt`)

export function checkedName(name: string): string {
  if (name.length > COLUMN_NAME_MAX) throw new FileFault(`列名「${name.slice(0, 20)}…」超过 ${COLUMN_NAME_MAX} 个字符`)
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
