import { ROW_BYTES_MAX } from '#contract/file-limits.ts'
import { outcome } from '#contract/outcomes/make.ts'
import { type Header, readHeader } from './csv-header.ts'
import { csvCutter } from './csv-slices.ts'
import { FileFault } from './file-fault.ts'
import { ndjsonCutter } from './ndjson-slices.ts'
import { type Cut, type CutBytes, cellsSlice, type SliceSource, slicePath } from './slice.ts'
import { countLines, NEWLINE, writeWhole } from './slice-bytes.ts'
import { openReader, READ_BYTES, type Reader } from './slice-reader.ts'

const SLICE_BYTES = 64 * 1024 * 1024
const SLICE_ROWS = 500_000
/** The first slices are smaller, so that the engine starts early. */
const FIRST_SLICE_ROWS = 125_000

/** Cuts the file into slices of whole records; rows that the engine could not read exactly are refused here. */
export async function* cutSlices(source: SliceSource): AsyncGenerator<Cut> {
  const reader = openReader(
    source.path,
    source.isGzip ? { unpackedLimit: source.unpackedLimit } : null,
    source.encoding,
  )
  try {
    yield* cutBytes(source, reader)
  } finally {
    reader.close()
  }
}

async function* cutBytes(source: SliceSource, reader: Reader): AsyncGenerator<Cut> {
  const sliceBytes = source.sliceBytes ?? SLICE_BYTES
  const buffer = Buffer.allocUnsafe(sliceBytes + ROW_BYTES_MAX + 2 * READ_BYTES)
  let have = await reader.fill(buffer, 0, READ_BYTES)
  if (have === 0) throw new FileFault(outcome('file_zero_bytes'))
  let start = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0
  const place = { number: 0, row: 0, line: 1 }
  const header = source.format === 'csv' ? readHeader(buffer, start, have, reader.isOver()) : null
  if (header) {
    start = header.next
    place.line += header.lines
  }
  const cutter = cutterOf(source, header)
  buffer.copyWithin(0, start, have)
  have -= start
  let perRow = rowBytes(buffer.subarray(0, have))
  let least = 0
  for (;;) {
    const rows = Math.min(source.sliceRows ?? SLICE_ROWS, FIRST_SLICE_ROWS * 2 ** Math.min(place.number, 20))
    const target = Math.min(sliceBytes, Math.max(READ_BYTES, Math.ceil(perRow * rows)))
    have = await reader.fill(buffer, have, Math.max(target, least))
    const isLast = reader.isOver()
    if (have === 0) return
    const { consumed, ...cut } = cutter(buffer.subarray(0, have), isLast, place)
    if (consumed === 0 && isLast) throw new Error('the cutter stands still')
    // If no record ends within the buffer, more bytes are needed.
    least = consumed === 0 ? have + 1 : 0
    if (cut.slice) {
      perRow = consumed / cut.slice.seen
      const end = { bytesRead: reader.bytesRead(), isLast: isLast && consumed === have }
      yield { slice: { ...cut.slice, ...end }, refusals: cut.refusals }
      place.number++
    }
    buffer.copyWithin(0, consumed, have)
    have -= consumed
    if (isLast && have === 0) return
  }
}

/** The average bytes of a row, estimated from the beginning of the file. */
function rowBytes(sample: Buffer): number {
  return sample.length / Math.max(1, countLines(sample))
}

/** `header`: of a csv. */
function cutterOf(source: SliceSource, header: Header | null): CutBytes {
  if (header) return csvCutter(source, header)
  if (source.format === 'ndjson') return ndjsonCutter(source.directory)
  return preparedCutter(source.directory, source.columns ?? [])
}

/** A prepared file has the layout `cells` already. */
function preparedCutter(directory: string, columns: string[]): CutBytes {
  return (bytes, isLast, place) => {
    const end = isLast ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1
    // A row of nearly 1 MB may not end within the bytes read.
    if (end === 0) return { consumed: 0, slice: null, refusals: [] }
    const path = slicePath(directory, place.number)
    const lines = bytes.subarray(0, end)
    writeWhole(path, lines)
    const rows = countLines(lines)
    const slice = cellsSlice({ path, rows: () => rows }, columns, {
      place,
      seen: rows,
      separator: ',',
      hasBreaks: true,
    })
    place.row += rows
    place.line += rows
    return { consumed: end, slice, refusals: [] }
  }
}
