import { type IdentifierType, rawFormOf, rawLabel } from '#contract/identifier.ts'
import type { HashCounts } from './hash-lines.ts'
import type { FromWorker, ToWorker } from './hash-worker.ts'
import { lineBreakAfter } from './line-break.ts'

export interface HashedFile {
  blob: Blob
  /** `from`: the name of the raw format. */
  report: HashCounts & { from: string }
}

const SLICE_BYTES = 4 * 1024 * 1024
const WORKERS_MAX = 4
/** One core is left to the page. */
const workersAtOnce = () => Math.max(1, Math.min(WORKERS_MAX, (navigator.hardwareConcurrency || 2) - 1))

/**
 * Hashes the raw values of a file in the browser, in workers, slice by slice. Lines
 * that are already hashed or malformed stay unchanged. `progress` receives 0 to 1.
 */
export async function hashFile(
  file: File,
  type: IdentifierType,
  { signal, progress }: { signal?: AbortSignal; progress?: (share: number) => void } = {},
): Promise<HashedFile> {
  const form = rawFormOf(type)
  if (!form) throw new Error(`${type} is raw itself`)
  const report = { lines: 0, hashed: 0, already: 0, malformed: 0, from: rawLabel(form) }
  const done: Uint8Array<ArrayBuffer>[][] = []
  let end = 0
  let sent = 0
  let finished = 0
  let cutting = Promise.resolve<{ slice: Blob; number: number } | null>(null)

  /** The next slice of whole lines. Slices are cut in order, for all workers. */
  const next = () => {
    cutting = cutting.then(async () => {
      if (end >= file.size) return null
      const from = end
      end = from + SLICE_BYTES >= file.size ? file.size : await lineBreakAfter(file, from + SLICE_BYTES)
      return { slice: file.slice(from, end), number: sent++ }
    })
    return cutting
  }
  async function work(): Promise<void> {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
    try {
      for (let one = await next(); one; one = await next()) {
        signal?.throwIfAborted()
        const answer = await ask(worker, { slice: one.slice, type }, signal)
        done[one.number] = answer.parts
        for (const name of ['lines', 'hashed', 'already', 'malformed'] as const) report[name] += answer.counts[name]
        finished += one.slice.size
        progress?.(finished / file.size)
      }
    } finally {
      worker.terminate()
    }
  }
  const many = Math.min(workersAtOnce(), Math.ceil(file.size / SLICE_BYTES))
  await Promise.all(Array.from({ length: many }, work))
  return { blob: new Blob(done.flat(), { type: 'text/plain' }), report }
}

function ask(worker: Worker, task: ToWorker, signal?: AbortSignal): Promise<Exclude<FromWorker, { error: string }>> {
  const { promise, resolve, reject } = Promise.withResolvers<Exclude<FromWorker, { error: string }>>()
  const stop = () => reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) =>
    'error' in data ? reject(new Error(data.error)) : resolve(data)
  worker.onerror = (event) => reject(new Error(event.message || '无法在浏览器内加密'))
  worker.postMessage(task)
  return promise.finally(() => signal?.removeEventListener('abort', stop))
}
