import { ROW_BYTES_MAX } from '#contract/file-limits.ts'
import { outcome } from '#contract/outcomes/make.ts'
import { cellsOfRefused } from '#contract/refused-rows.ts'
import type { Header } from './csv-header.ts'
import { CELL_END, type CsvRecord, emptyRecord, LINE_BREAK, readRecord } from './csv-record.ts'
import { type CutBytes, cellsSlice, type Place, type Refusal, SHOWN_MAX, type SliceSource, slicePath } from './slice.ts'
import { countLines, lineWriter, mustBeUtf8, NEWLINE, RETURN, writeWhole } from './slice-bytes.ts'

/** CSV: plain slices are the file's own bytes; in the others each record is read strictly. */
export function csvCutter(
  { directory, areAllCells }: Pick<SliceSource, 'directory' | 'areAllCells'>,
  { columns, separator, isOfRefused }: Pick<Header, 'columns' | 'separator' | 'isOfRefused'>,
): CutBytes {
  const strict = strictCutter(directory, columns, separator, isOfRefused)
  let isSkipping = false
  return (bytes, isLast, place) => {
    if (isSkipping) {
      const end = bytes.indexOf(NEWLINE)
      isSkipping = end === -1
      return { consumed: isSkipping ? bytes.length : end + 1, slice: null, refusals: [] }
    }
    const end = isLast ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1
    const plain = bytes.subarray(0, end)
    const rows = end === 0 || areAllCells || isOfRefused ? null : plainLines(plain)
    if (rows === null) {
      const cut = strict(bytes, isLast, place)
      isSkipping = cut.isSkipping
      return cut
    }
    mustBeUtf8(plain, place.line)
    const slice = {
      number: place.number,
      path: slicePath(directory, place.number),
      layout: 'lines' as const,
      columns,
      separator,
      firstRow: place.row,
      firstLine: place.line,
      rows,
      seen: rows,
      hasReturns: plain.includes(RETURN),
      hasBreaks: false,
      hasBlanks: plain.includes(0x20),
    }
    writeWhole(slice.path, plain)
    place.row += rows
    place.line += rows
    return { consumed: end, slice, refusals: [] }
  }
}

/**
 * The number of lines if each is a plain record: no quotes, no blank or overlong lines, no lone carriage returns, none of
 * our marks and no zero bytes. Otherwise null.
 */
function plainLines(bytes: Buffer): number | null {
  if ([0x22, CELL_END, LINE_BREAK, 0].some((byte) => bytes.includes(byte))) return null
  if (bytes[0] === NEWLINE || bytes.includes(BLANK_LINE) || hasEndless(bytes)) return null
  for (let at = bytes.indexOf(RETURN); at !== -1; at = bytes.indexOf(RETURN, at + 1)) {
    if (bytes[at + 1] !== NEWLINE || at === 0 || bytes[at - 1] === NEWLINE) return null
  }
  return countLines(bytes) + (bytes.at(-1) === NEWLINE ? 0 : 1)
}

const BLANK_LINE = Buffer.from([NEWLINE, NEWLINE])

/** Whether a line is too long. Jumps from a line's start to the last line that begins within the maximum length. */
function hasEndless(bytes: Buffer): boolean {
  for (let start = 0; bytes.length - start > ROW_BYTES_MAX; ) {
    const end = bytes.lastIndexOf(NEWLINE, start + ROW_BYTES_MAX)
    if (end < start) return true
    start = end + 1
  }
  return false
}

const PLAIN = 0x70
const SPECIAL = 0x73

/** Reads record by record and writes the complete ones in the layout `cells`. */
function strictCutter(directory: string, columns: string[], separator: string, isOfRefused: boolean) {
  const comma = separator.charCodeAt(0)
  const record = emptyRecord()
  return (bytes: Buffer, isLast: boolean, place: Place) => {
    const writer = lineWriter(slicePath(directory, place.number))
    const first = { ...place }
    const refusals: Refusal[] = []
    let at = 0
    let isSkipping = false
    try {
      while (at < bytes.length) {
        if (bytes[at] === NEWLINE || (bytes[at] === RETURN && bytes[at + 1] === NEWLINE)) {
          at += bytes[at] === NEWLINE ? 1 : 2
          place.line++
          continue
        }
        // Includes the line end.
        const stop = Math.min(bytes.length, at + ROW_BYTES_MAX + 1)
        const isCutOff = stop < bytes.length
        const { out, from } = writer.begin(place.row + 1, place.line, stop - at)
        readRecord(bytes, at, stop, isLast && !isCutOff, comma, out, from + 2, record)
        if (record.fault === 'more' && !isCutOff && !isLast && bytes.length - at <= ROW_BYTES_MAX) break
        place.row++
        if (record.fault === null || record.fault === 'control') {
          const isIncomplete = isOfRefused && takeRefused(out, from + 2, record)
          const refused =
            record.fault === 'control'
              ? { outcome: outcome('row_has_control') }
              : isIncomplete
                ? { outcome: outcome('row_still_incomplete') }
                : record.columns === columns.length
                  ? null
                  : raggedRow(record.columns, columns.length)
          if (refused === null) {
            out[from] = record.isSpecial ? SPECIAL : PLAIN
            out[from + 1] = CELL_END
            writer.keep(record.written)
          } else {
            refusals.push({
              line: place.line,
              ...refused,
              cells: cellsOf(out.subarray(from + 2, record.written)),
            })
          }
          at = record.next
          place.line += record.lines
          continue
        }
        // A quoting error refuses only the line it begins on.
        const end = bytes.indexOf(NEWLINE, at)
        const isEndless = end === -1 ? bytes.length - at > ROW_BYTES_MAX : end - at > ROW_BYTES_MAX
        const code = isEndless
          ? 'row_too_long'
          : record.fault === 'quote'
            ? 'row_quote_misplaced'
            : 'row_quote_unclosed'
        const to = end === -1 ? bytes.length : end
        refusals.push({
          line: place.line,
          outcome: outcome(code),
          cells: [bytes.toString('utf8', at, Math.min(to, at + SHOWN_MAX)).trimEnd()],
        })
        place.line++
        isSkipping = end === -1 && !isLast
        at = end === -1 ? bytes.length : end + 1
      }
    } finally {
      writer.close()
    }
    mustBeUtf8(bytes.subarray(0, at), first.line)
    const seen = place.row - first.row
    const slice = seen === 0 ? null : cellsSlice(writer, columns, { place: first, seen, separator, hasBreaks: true })
    return { consumed: at, slice, refusals, isSkipping }
  }
}

/**
 * Leaves the cells of the imported row in a record of a file of refused rows; answers whether the row is still marked as one
 * that is not whole. A row becomes no longer.
 */
function takeRefused(out: Buffer, from: number, record: CsvRecord): boolean {
  const { cells, isIncomplete } = cellsOfRefused(out.toString('utf8', from, record.written).split('\u001f'))
  record.written = from + out.write(cells.join('\u001f'), from)
  record.columns = cells.length
  return isIncomplete
}

/** The report counts rows of any wrong length together. */
export const raggedRow = (has: number, wants: number): Pick<Refusal, 'outcome' | 'countedAs'> => ({
  outcome: outcome('row_ragged', { has, wants }),
  countedAs: outcome('rows_ragged'),
})

const cellsOf = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes.subarray(0, SHOWN_MAX))
    .toString('utf8')
    .split('\u001f')
    .map((cell) => cell.replaceAll('\u001e', '\n'))
