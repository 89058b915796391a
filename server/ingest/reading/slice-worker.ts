import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { downloadHead, downloadLine } from '#contract/download-csv.ts'
import { INCOMPLETE, REFUSED_COLUMNS } from '#contract/refused-rows.ts'
import { type PostedError, postedError } from '../../files/file-fault.ts'
import type { Cut, Refusal, Slice, SliceSource } from '../../files/slice.ts'
import { linesOf } from '../../files/slice-lines.ts'
import { cutSlices } from '../../files/slices.ts'
import { type CountedRows, rowCounter } from '../counted-rows.ts'
import { type FilePart, partOf } from '../file-parts.ts'
import { type MetricColumn, REFUSED, refusalOf } from './refusal.ts'

/** Messages to the worker. `settle`: the slice is stored, and the engine refused these rows. */
export type ToWorker = { kind: 'next' } | { kind: 'settle'; slice: number; refused: Uint8Array } | { kind: 'end' }
export type FromWorker =
  | { kind: 'slice'; slice: Slice; refused: number }
  | { kind: 'settled'; refused: CountedRows[] }
  | { kind: 'over' }
  | { kind: 'ended' }
  | { kind: 'failed'; error: PostedError }

export interface SliceWorkerData {
  source: SliceSource
  refusedPath: string
  /** Of a file of reports. */
  metrics?: readonly MetricColumn[]
  /** Parts of the file whose refusals are counted apart. */
  parts?: readonly FilePart[]
}

/** A refused row: its number in the slice (4 bytes) and the reason (1 byte). */
const REFUSAL_BYTES = 5

// Set by openSource.
const { source, refusedPath, metrics, parts = [] } = workerData as SliceWorkerData
const port = parentPort
if (!port) throw new Error('slice-worker runs as a worker')

const cuts = cutSlices(source)
const open = new Map<number, Cut>()
const refusedFile = createWriteStream(refusedPath)
const opened = once(refusedFile, 'open')
/** Of the file; known with the first slice. Of NDJSON each row is one cell. */
let columns: readonly string[] = source.format === 'ndjson' ? ['原始内容'] : []
let hasHead = false

// Messages are handled one at a time, so that refused rows keep the file's order.
let work: Promise<void> = opened.then(() => {})
refusedFile.on('error', tell)
port.on('message', (message: ToWorker) => {
  work = work.then(() => answer(message)).catch(tell)
})

function tell(error: unknown) {
  port?.postMessage({ kind: 'failed', error: postedError(error) } satisfies FromWorker)
}

async function answer(message: ToWorker): Promise<void> {
  if (message.kind === 'next') {
    const { value: cut, done } = await cuts.next()
    if (done || !cut) return port?.postMessage({ kind: 'over' } satisfies FromWorker)
    open.set(cut.slice.number, cut)
    if (source.format !== 'ndjson') columns = cut.slice.columns
    port?.postMessage({ kind: 'slice', slice: cut.slice, refused: cut.refusals.length } satisfies FromWorker)
    return
  }
  if (message.kind === 'settle') {
    const cut = open.get(message.slice)
    if (!cut) throw new Error(`slice ${message.slice} is not open`)
    open.delete(message.slice)
    const refusals = [...cut.refusals, ...(await refusalsOf(cut.slice, message.refused))]
    refusals.sort((a, b) => a.line - b.line)
    const refused = await writeRefusals(refusals)
    for (const path of [cut.slice.path, cut.slice.originals]) if (path) rmSync(path, { force: true })
    port?.postMessage({ kind: 'settled', refused } satisfies FromWorker)
    return
  }
  refusedFile.end()
  await once(refusedFile, 'close')
  port?.postMessage({ kind: 'ended' } satisfies FromWorker)
}

async function writeRefusals(refusals: readonly Refusal[]): Promise<CountedRows[]> {
  const counter = rowCounter()
  if (refusals.length === 0) return []
  // Loads the tables of sentences only for files with refused rows, which are few.
  const { sentenceOf } = await import('#contract/outcome.ts')
  if (!hasHead) refusedFile.write(downloadHead([...columns, ...REFUSED_COLUMNS]))
  hasHead = true
  for (const { line, outcome, countedAs = outcome, cells } of refusals) {
    counter.add(countedAs, 1, { part: partOf(parts, line) })
    const own = cells ?? []
    const isWhole = own.length === columns.length && !NOT_READ.has(outcome.code) && !own.some(isCut)
    const missing = Array.from({ length: Math.max(0, columns.length - own.length) }, () => '')
    const text = downloadLine([...own, ...missing, `${line}${isWhole ? '' : INCOMPLETE}`, sentenceOf(outcome)])
    if (!refusedFile.write(text)) await once(refusedFile, 'drain')
  }
  return counter.counts()
}

/** Of such a row the file has the beginning of its line in one cell, or nothing. */
const NOT_READ: ReadonlySet<string> = new Set([
  'row_quote_misplaced',
  'row_quote_unclosed',
  'row_too_long',
  'row_forgotten',
])

/** Reads the refused rows of a slice again to get their cells, or their lines as the file has them. */
async function refusalsOf(slice: Slice, bytes: Uint8Array): Promise<Refusal[]> {
  if (bytes.length === 0) return []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const reasons = new Map<number, number>()
  for (let at = 0; at < bytes.length; at += REFUSAL_BYTES) reasons.set(view.getUint32(at, true), view.getUint8(at + 4))
  const refusals: Refusal[] = []
  const refuse = (line: number, reason: number, cells: string[]) =>
    refusals.push({
      line,
      ...refusalOf(reason, cells.length, slice.columns.length, metrics),
      // What was to be forgotten is not kept in another file.
      cells: reason === REFUSED.forgotten ? null : shown(cells),
    })
  let at = 0
  for await (const text of linesOf(slice.path)) {
    const row = at++
    if (slice.layout === 'lines') {
      const reason = reasons.get(row)
      if (reason !== undefined) refuse(slice.firstLine + row, reason, text.split(slice.separator))
    } else {
      const reason = reasons.get(Number(text.slice(0, text.indexOf('\u001f'))) - slice.firstRow - 1)
      if (reason === undefined) continue
      const [, line, , ...cells] = text.split('\u001f')
      refuse(
        Number(line),
        reason,
        cells.map((cell) => cell.replaceAll('\u001e', '\n')),
      )
    }
  }
  if (slice.originals) await takeOriginals(slice.originals, slice.firstLine, refusals)
  return refusals
}

/** Puts the line as the file has it in place of the cells. The refusals are in the order of their lines. */
async function takeOriginals(path: string, firstLine: number, refusals: Refusal[]): Promise<void> {
  let line = firstLine
  let next = 0
  for await (const text of linesOf(path)) {
    const refusal = refusals[next]
    if (!refusal) return
    if (refusal.line === line++) {
      if (refusal.cells !== null) refusal.cells = shown([text.trim()])
      next++
    }
  }
}

/** Characters of a cell, or of a line of JSON, in the file of refused rows. */
const CELL_SHOWN = 500
/** Also of a cell that was cut already. */
const isCut = (cell: string) => cell.length > CELL_SHOWN
const shown = (cells: string[]) => cells.map((cell) => (isCut(cell) ? `${cell.slice(0, CELL_SHOWN)}…` : cell))
