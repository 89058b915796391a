/**
 * How a cell begins that a spreadsheet would run as a formula; blanks before it do not stop every program. A cell that has
 * quotes before that gets one more, so that `writtenCell` gives it back.
 */
const FORMULA = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/

/** Adds a quote in front of a cell that a spreadsheet would run. */
const asText = (cell: string) => (FORMULA.test(cell) ? `'${cell}` : cell)

/** A cell without the quote that was put in front of it. */
export const writtenCell = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell)

/** A cell as CSV, quoted only where necessary. */
const csvCell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A line of a csv that people download and open in a spreadsheet; every download writes its lines with it. */
export const downloadLine = (cells: readonly string[]): string => `${cells.map(asText).map(csvCell).join(',')}\n`

/** The first line of such a csv: its columns, after the byte-order mark by which spreadsheets recognise UTF-8. */
export const downloadHead = (columns: readonly string[]): string => `\uFEFF${downloadLine(columns)}`
