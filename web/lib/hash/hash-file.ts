import { type IdentifierType, rawFormOf, rawLabel } from '#contract/identifier.ts'
import type { TextChoice } from '#contract/identifier-column.ts'
import type { HashCounts } from './hash-lines.ts'
import type { FromWorker, HashedSlice, ToWorker } from './hash-worker.ts'
import { type KeptLines, keepLines, newKeptLines } from './kept-lines.ts'
import { lineBreakAfter } from './line-break.ts'

export interface HashedFile {
  /** What is sent: a line for each line of the file, with marks for those that stay here. */
  blob: Blob
  /** `from`: the name of the raw format. */
  report: HashCounts & { from: string }
  kept: KeptLines
}

const SLICE_BYTES = 4 * 1024 * 1024
const WORKERS_MIN = 2
const WORKERS_MAX = 8
/** All cores: the page itself only passes slices on. */
const workersAtOnce = () => Math.max(WORKERS_MIN, Math.min(WORKERS_MAX, navigator.hardwareConcurrency || WORKERS_MIN))
const COUNTS = ['lines', 'hashed', 'already', 'malformed', 'normalised'] as const

/**
 * Hashes the identifiers of a file in the browser, in workers, slice by slice. Lines that are malformed stay here.
 * `progress` receives 0 to 1.
 */
export async function hashFile(
  file: File,
  type: IdentifierType,
  choice: TextChoice,
  { signal, progress, workers = workersAtOnce(), withLanes = true, allRaw = false }: HashRun = {},
): Promise<HashedFile> {
  const form = rawFormOf(type)
  if (!form) throw new Error(`${type} is raw itself`)
  // The first worker that fails ends the others.
  const failing = new AbortController()
  const ending = signal ? AbortSignal.any([signal, failing.signal]) : failing.signal
  const report = { lines: 0, hashed: 0, already: 0, malformed: 0, normalised: 0, from: rawLabel(form) }
  const done: HashedSlice[] = []
  const unit = choice.encoding === 'utf-16le' || choice.encoding === 'utf-16be' ? choice.encoding : 'byte'
  let end = 0
  let sent = 0
  let finished = 0
  let cutting = Promise.resolve<{ slice: Blob; number: number } | null>(null)

  /** The next slice of whole lines. Slices are cut in order, for all workers. */
  const next = () => {
    cutting = cutting.then(async () => {
      if (end >= file.size) return null
      const from = end
      end = from + SLICE_BYTES >= file.size ? file.size : await lineBreakAfter(file, from + SLICE_BYTES, unit)
      return { slice: file.slice(from, end), number: sent++ }
    })
    return cutting
  }
  async function work(): Promise<void> {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
    try {
      for (let one = await next(); one; one = await next()) {
        ending.throwIfAborted()
        const answer = await ask(
          worker,
          { slice: one.slice, type, choice, isFirst: one.number === 0, withLanes, allRaw },
          ending,
        )
        done[one.number] = answer
        for (const name of COUNTS) report[name] += answer.counts[name]
        finished += one.slice.size
        progress?.(finished / file.size)
      }
    } catch (error) {
      failing.abort(error)
      throw error
    } finally {
      worker.terminate()
    }
  }
  const many = Math.min(workers, Math.ceil(file.size / SLICE_BYTES))
  await Promise.all(Array.from({ length: many }, work))
  const kept = newKeptLines(type)
  let firstLine = 1
  for (const { rows, kept: lines, keptLines } of done) {
    keepLines(kept, { firstLine, name: '', lines }, keptLines)
    firstLine += rows
  }
  return {
    blob: new Blob(
      done.map(({ hashed }) => hashed),
      { type: 'text/plain' },
    ),
    report,
    kept,
  }
}

interface HashRun {
  signal?: AbortSignal
  progress?: (share: number) => void
  /** No line is taken as a hash. */
  allRaw?: boolean
  /** For the benchmark: the workers, and whether they hash eight texts at once. */
  workers?: number
  withLanes?: boolean
}

function ask(worker: Worker, task: ToWorker, signal: AbortSignal): Promise<HashedSlice> {
  const { promise, resolve, reject } = Promise.withResolvers<HashedSlice>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) =>
    'error' in data ? reject(new Error(data.error)) : resolve(data)
  worker.onerror = (event) => reject(new Error(event.message || '无法在浏览器内加密'))
  worker.postMessage(task)
  return promise.finally(() => signal.removeEventListener('abort', stop))
}
