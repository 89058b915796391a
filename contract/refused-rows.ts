import { writtenCell } from './download-csv.ts'

/**
 * The last columns of a file of refused rows, behind those of the imported file: the line's number there, and the reason.
 * A file that ends with them is read without them, and without the quotes that were put before cells for spreadsheets.
 */
export const REFUSED_COLUMNS = ['原文件行号', '未导入原因'] as const
/** Behind the number of a row that the file does not have as it was: it is refused until somebody removes the mark. */
export const INCOMPLETE = '（不完整）'

/** The columns of the imported file, where these are of a file of refused rows; null where they are of another file. */
export function columnsOfRefused(columns: readonly string[]): string[] | null {
  const own = columns.slice(0, -REFUSED_COLUMNS.length)
  const isRefused = own.length > 0 && REFUSED_COLUMNS.every((name, at) => columns[own.length + at] === name)
  return isRefused ? own.map(writtenCell) : null
}

/** The cells of a refused row as they were imported, and whether the file still says that it does not have them all. */
export function cellsOfRefused(cells: readonly string[]): { cells: string[]; isIncomplete: boolean } {
  const own = cells.slice(0, -REFUSED_COLUMNS.length)
  return { cells: own.map(writtenCell), isIncomplete: cells[own.length]?.trim().endsWith(INCOMPLETE) ?? false }
}
