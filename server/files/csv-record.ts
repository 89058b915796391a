const QUOTE = 0x22
const NEWLINE = 0x0a
const RETURN = 0x0d
/** Separates the cells of a prepared line. */
export const CELL_END = 0x1f
/** Replaces a line break inside a cell of a prepared line. */
export const LINE_BREAK = 0x1e
/** Bytes refused in a cell: our two marks, and the zero byte, which Postgres cannot store. */
const isMark = (byte: number): boolean => byte === CELL_END || byte === LINE_BREAK || byte === 0

export type RecordFault = 'more' | 'quote' | 'unclosed' | 'control'

export interface CsvRecord {
  fault: RecordFault | null
  /** Where the next record begins. */
  next: number
  /** Where the output continues. */
  written: number
  columns: number
  /** Line breaks in the record, its own end included. */
  lines: number
  /** A cell holds a separator, a quote or a line break. */
  isSpecial: boolean
}

/**
 * Reads one record of `bytes` from `start` and writes its cells to `out`, separated by CELL_END. Strict about quotes:
 * after a closing quote must come a separator or the end, otherwise the whole record is refused. `more`: the record may
 * continue after `end`. `record` is filled and returned, which saves a million objects.
 */
export function readRecord(
  bytes: Uint8Array,
  start: number,
  end: number,
  isLast: boolean,
  separator: number,
  out: Uint8Array,
  at: number,
  record: CsvRecord,
): CsvRecord {
  let p = start
  let o = at
  let columns = 1
  let lines = 1
  let isSpecial = false
  let hasControl = false

  const finish = (fault: RecordFault | null, next: number) => {
    record.fault = fault ?? (hasControl ? 'control' : null)
    record.next = next
    record.written = o
    record.columns = columns
    record.lines = lines
    record.isSpecial = isSpecial
    return record
  }

  for (;;) {
    if (p < end && bytes[p] === QUOTE) {
      p++
      for (;;) {
        if (p >= end) return finish(isLast ? 'unclosed' : 'more', p)
        const byte = bytes[p++] as number
        if (byte === QUOTE) {
          if (p >= end && !isLast) return finish('more', p)
          if (p >= end || bytes[p] !== QUOTE) break
          p++
          isSpecial = true
          out[o++] = QUOTE
          continue
        }
        if (byte === NEWLINE) {
          isSpecial = true
          lines++
          out[o++] = LINE_BREAK
          continue
        }
        if (byte === separator) isSpecial = true
        else if (isMark(byte)) hasControl = true
        out[o++] = byte
      }
      if (p >= end) return finish(null, end)
      const byte = bytes[p] as number
      if (byte === separator) {
        p++
        columns++
        out[o++] = CELL_END
        continue
      }
      if (byte === NEWLINE) return finish(null, p + 1)
      if (byte === RETURN) {
        if (p + 1 >= end) return finish(isLast ? null : 'more', end)
        if (bytes[p + 1] === NEWLINE) return finish(null, p + 2)
      }
      return finish('quote', p)
    }
    const cell = o
    let isCellOver = false
    while (p < end) {
      const byte = bytes[p++] as number
      if (byte === separator) {
        isCellOver = true
        break
      }
      if (byte === NEWLINE) {
        if (o > cell && out[o - 1] === RETURN) o--
        return finish(null, p)
      }
      if (byte === QUOTE) isSpecial = true
      else if (isMark(byte)) hasControl = true
      out[o++] = byte
    }
    if (!isCellOver) {
      if (!isLast) return finish('more', p)
      if (o > cell && out[o - 1] === RETURN) o--
      return finish(null, end)
    }
    columns++
    out[o++] = CELL_END
  }
}

export const emptyRecord = (): CsvRecord => ({
  fault: null,
  next: 0,
  written: 0,
  columns: 0,
  lines: 0,
  isSpecial: false,
})

const SEPARATORS = [',', '\t', ';', '|']
/** The separator of a header line: a comma if there is one, otherwise the first other separator found. */
export const separatorOf = (header: string): string => SEPARATORS.find((one) => header.includes(one)) ?? ','
