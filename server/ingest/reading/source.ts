import { Worker } from 'node:worker_threads'
import { receivedError } from '../../files/file-fault.ts'
import type { Slice } from '../../files/slice.ts'
import type { CountedRows } from '../counted-rows.ts'
import type { FromWorker, SliceWorkerData, ToWorker } from './slice-worker.ts'

/** Cuts the file in a worker thread, which keeps the event loop free. */
export function openSource(data: SliceWorkerData) {
  const worker = new Worker(new URL('./slice-worker.ts', import.meta.url), { workerData: data })
  const slices = queue<{ slice: Slice; refused: number } | null>()
  const settled = queue<CountedRows[]>()
  const ended = queue<true>()
  const fail = (error: Error) => {
    for (const one of [slices, settled, ended]) one.fail(error)
  }
  worker.on('error', fail)
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'slice') slices.push(message)
    else if (message.kind === 'over') slices.push(null)
    else if (message.kind === 'settled') settled.push(message.refused)
    else if (message.kind === 'ended') ended.push(true)
    else fail(receivedError(message.error))
  })
  const post = (message: ToWorker) => worker.postMessage(message)
  return {
    /** Asks for the next slice without waiting; `next` answers the slices in order, and rejects when it is aborted. */
    ask: () => post({ kind: 'next' }),
    next: (signal: AbortSignal) => slices.take(signal),
    /** Reports that the slice is stored except for these rows (five bytes each); answers the refused rows by reason. */
    settle(slice: number, refused: Uint8Array) {
      post({ kind: 'settle', slice, refused })
      return settled.take()
    },
    /** Waits until all refused rows are written. */
    end() {
      post({ kind: 'end' })
      return ended.take()
    },
    close: () => worker.terminate(),
  }
}

/** A queue of values for waiting callers; after a failure every caller gets the failure. */
function queue<T>() {
  const values: T[] = []
  const waiting: PromiseWithResolvers<T>[] = []
  let failure: Error | undefined
  return {
    push(value: T) {
      const first = waiting.shift()
      if (first) first.resolve(value)
      else values.push(value)
    },
    fail(error: Error) {
      failure ??= error
      for (const one of waiting.splice(0)) one.reject(failure)
    },
    async take(signal?: AbortSignal): Promise<T> {
      signal?.throwIfAborted()
      const value = values.shift()
      if (value !== undefined) return value
      if (failure) throw failure
      const one = Promise.withResolvers<T>()
      const stop = () => one.reject(signal?.reason)
      signal?.addEventListener('abort', stop, { once: true })
      waiting.push(one)
      try {
        return await one.promise
      } finally {
        signal?.removeEventListener('abort', stop)
      }
    },
  }
}
