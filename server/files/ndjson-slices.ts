import { ROW_BYTES_MAX } from '#contract/file-limits.ts'
import { outcome } from '#contract/outcomes/make.ts'
import { FileFault } from './file-fault.ts'
import { type JsonLine, jsonLine } from './json-line.ts'
import { COLUMNS_MAX, type CutBytes, cellsSlice, checkedName, type Refusal, SHOWN_MAX, slicePath } from './slice.ts'
import { lineWriter, mustBeUtf8, NEWLINE, writeWhole } from './slice-bytes.ts'

/** One object per line. Columns are the keys in order of appearance; a line without a key has an empty cell. */
export function ndjsonCutter(directory: string): CutBytes {
  const columns: string[] = []
  const known = new Map<string, number>()
  const addColumn = (name: string): number => {
    const at = columns.push(checkedName(name)) - 1
    if (columns.length > COLUMNS_MAX) throw new FileFault(outcome('file_too_many_columns', { max: COLUMNS_MAX }))
    known.set(name, at)
    return at
  }
  let isSkipping = false
  return (bytes, isLast, place) => {
    if (isSkipping) {
      const end = bytes.indexOf(NEWLINE)
      isSkipping = end === -1
      return { consumed: isSkipping ? bytes.length : end + 1, slice: null, refusals: [] }
    }
    const writer = lineWriter(slicePath(directory, place.number))
    const first = { ...place }
    const refusals: Refusal[] = []
    let at = 0
    try {
      while (at < bytes.length) {
        const end = bytes.indexOf(NEWLINE, at)
        if (end === -1 && !isLast && bytes.length - at <= ROW_BYTES_MAX) break
        const to = end === -1 ? bytes.length : end
        const isTooLong = to - at > ROW_BYTES_MAX
        const text = bytes.toString('utf8', at, isTooLong ? at + SHOWN_MAX : to).trim()
        if (text !== '') {
          place.row++
          const read: JsonLine = isTooLong ? { refused: outcome('row_too_long') } : jsonLine(text, known, addColumn)
          if ('refused' in read)
            refusals.push({ line: place.line, outcome: read.refused, cells: [text.slice(0, SHOWN_MAX)] })
          else writer.line(`${place.row}\u001f${place.line}\u001f${read.hash}\u001f${read.cells.join('\u001f')}`)
        }
        place.line++
        isSkipping = end === -1 && !isLast
        at = end === -1 ? bytes.length : end + 1
      }
    } finally {
      writer.close()
    }
    mustBeUtf8(bytes.subarray(0, at), first.line)
    const seen = place.row - first.row
    if (seen === 0) return { consumed: at, slice: null, refusals }
    const originals = `${writer.path}.originals`
    writeWhole(originals, bytes.subarray(0, at))
    const cells = cellsSlice(writer, [...columns], { place: first, seen, separator: ',', hasBreaks: true })
    const slice = { ...cells, originals }
    return { consumed: at, slice, refusals }
  }
}
