import { outcome } from '#contract/outcomes/make.ts'
import { columnsOfRefused } from '#contract/refused-rows.ts'
import { emptyRecord, readRecord, separatorOf } from './csv-record.ts'
import { FileFault } from './file-fault.ts'
import { COLUMNS_MAX, checkedName } from './slice.ts'
import { mustBeUtf8, NEWLINE, RETURN } from './slice-bytes.ts'

export interface Header {
  columns: string[]
  separator: string
  next: number
  lines: number
  /** Whether it is a file of refused rows, whose last columns `columns` does not have. */
  isOfRefused: boolean
}

/** The column names in the first line that is not blank. */
export function readHeader(bytes: Buffer, start: number, end: number, isLast: boolean): Header {
  let at = start
  let lines = 0
  while (at < end && (bytes[at] === NEWLINE || bytes[at] === RETURN)) {
    if (bytes[at] === NEWLINE) lines++
    at++
  }
  if (at === end) throw new FileFault(outcome('file_zero_bytes'))
  const lineEnd = bytes.indexOf(NEWLINE, at)
  const separator = separatorOf(bytes.toString('utf8', at, lineEnd === -1 ? end : lineEnd))
  const out = Buffer.allocUnsafe(end - at)
  const record = readRecord(bytes, at, end, isLast, separator.charCodeAt(0), out, 0, emptyRecord())
  if (record.fault === 'more') throw new FileFault(outcome('file_header_too_long'))
  if (record.fault === 'control') throw new FileFault(outcome('file_header_has_control'))
  if (record.fault) throw new FileFault(outcome('file_header_misquoted'))
  mustBeUtf8(bytes.subarray(at, record.next), lines + 1)
  const text = out.toString('utf8', 0, record.written)
  // In a file with lone carriage returns, all rows would be one line of names.
  if (text.replaceAll('\r\u001e', '').includes('\r')) throw new FileFault(outcome('file_has_lone_returns'))
  const names = text.split('\u001f')
  const columns = names.map((name, index) => checkedName(name.replaceAll('\u001e', ' ').trim() || `列${index + 1}`))
  if (columns.length > COLUMNS_MAX) throw new FileFault(outcome('file_too_many_columns', { max: COLUMNS_MAX }))
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index)
  if (repeated !== undefined) throw new FileFault(outcome('file_column_repeated', { name: repeated }))
  const own = columnsOfRefused(columns)
  return {
    columns: own ?? columns,
    separator,
    next: record.next,
    lines: lines + record.lines,
    isOfRefused: own !== null,
  }
}
