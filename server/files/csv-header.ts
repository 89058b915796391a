import { emptyRecord, readRecord, separatorOf } from './csv-record.ts'
import { FileFault } from './file-fault.ts'
import { COLUMNS_MAX, checkedName } from './slice.ts'
import { mustBeUtf8, NEWLINE, RETURN } from './slice-bytes.ts'

export interface Header {
  columns: string[]
  separator: string
  next: number
  lines: number
}

/** The column names in the first line that is not blank. */
export function readHeader(bytes: Buffer, start: number, end: number, isLast: boolean): Header {
  let at = start
  let lines = 0
  while (at < end && (bytes[at] === NEWLINE || bytes[at] === RETURN)) {
    if (bytes[at] === NEWLINE) lines++
    at++
  }
  if (at === end) throw new FileFault('文件是空的')
  const lineEnd = bytes.indexOf(NEWLINE, at)
  const separator = separatorOf(bytes.toString('utf8', at, lineEnd === -1 ? end : lineEnd))
  const out = Buffer.allocUnsafe(end - at)
  const record = readRecord(bytes, at, end, isLast, separator.charCodeAt(0), out, 0, emptyRecord())
  if (record.fault === 'more') throw new FileFault('首行过长，找不到列名')
  if (record.fault === 'control') throw new FileFault('首行的列名中有不支持的控制字符')
  if (record.fault) throw new FileFault('首行的引号不正确，无法读出列名')
  mustBeUtf8(bytes.subarray(at, record.next), lines + 1)
  const text = out.toString('utf8', 0, record.written)
  // In a file with lone carriage returns, all rows would be one line of names.
  if (text.replaceAll('\r\u001e', '').includes('\r'))
    throw new FileFault('换行符是单独的 CR，请另存为以 LF 或 CRLF 换行后导入')
  const names = text.split('\u001f')
  const columns = names.map((name, index) => checkedName(name.replaceAll('\u001e', ' ').trim() || `列${index + 1}`))
  if (columns.length > COLUMNS_MAX) throw new FileFault(`列数超过 ${COLUMNS_MAX}`)
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index)
  if (repeated !== undefined) throw new FileFault(`列名「${repeated}」重复`)
  return { columns, separator, next: record.next, lines: lines + record.lines }
}
