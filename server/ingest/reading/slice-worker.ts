import { once } from 'node:events'
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parentPort, workerData } from 'node:worker_threads'
import { csvLine } from '../../files/csv-record.ts'
import { type PostedError, postedError } from '../../files/file-fault.ts'
import type { Cut, Refusal, Slice, SliceSource } from '../../files/slice.ts'
import { cutSlices } from '../../files/slices.ts'
import { type CountedRows, rowCounter } from '../counted-rows.ts'
import { refusalOf } from './refusal.ts'

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
}

/** A refused row: its number in the slice (4 bytes) and the reason (1 byte). */
const REFUSAL_BYTES = 5

// Set by openSource.
const { source, refusedPath } = workerData as SliceWorkerData
const port = parentPort
if (!port) throw new Error('slice-worker runs as a worker')

const cuts = cutSlices(source)
const open = new Map<number, Cut>()
const refusedFile = createWriteStream(refusedPath)
const opened = once(refusedFile, 'open')
refusedFile.write('\ufeff行号,原因,原始内容\n')

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
    rmSync(cut.slice.path, { force: true })
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
  for (const { line, outcome, countedAs = outcome, cells } of refusals) {
    counter.add(countedAs)
    const text = csvLine([String(line), sentenceOf(outcome), ...cells])
    if (!refusedFile.write(text)) await once(refusedFile, 'drain')
  }
  return counter.counts()
}

/** Reads the refused rows of a slice again to get their cells. */
async function refusalsOf(slice: Slice, bytes: Uint8Array): Promise<Refusal[]> {
  if (bytes.length === 0) return []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const reasons = new Map<number, number>()
  for (let at = 0; at < bytes.length; at += REFUSAL_BYTES) reasons.set(view.getUint32(at, true), view.getUint8(at + 4))
  const refusals: Refusal[] = []
  let at = 0
  for await (const text of createInterface({
    input: createReadStream(slice.path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const row = at++
    if (slice.layout === 'lines') {
      const reason = reasons.get(row)
      if (reason === undefined) continue
      const cells = text.split(slice.separator)
      refusals.push({
        line: slice.firstLine + row,
        ...refusalOf(reason, cells.length, slice.columns.length),
        cells: shown(cells),
      })
    } else {
      const reason = reasons.get(Number(text.slice(0, text.indexOf('\u001f'))) - slice.firstRow - 1)
      if (reason === undefined) continue
      const [, line, , ...cells] = text.split('\u001f')
      refusals.push({
        line: Number(line),
        ...refusalOf(reason, cells.length, slice.columns.length),
        cells: shown(cells.map((cell) => cell.replaceAll('\u001e', '\n'))),
      })
    }
  }
  return refusals
}

const CELL_SHOWN = 500
const shown = (cells: string[]) =>
  cells.map((cell) => (cell.length > CELL_SHOWN ? `${cell.slice(0, CELL_SHOWN)}…` : cell))
