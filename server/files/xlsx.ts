import { Worker } from 'node:worker_threads'
import { receivedError } from './file-fault.ts'
import type { XlsxAnswer } from './xlsx-worker.ts'

/** Half a million cells take about half of it. */
const HEAP_MB = 1024

/** The columns of a sheet, and a cell of each in every row. */
export interface Sheet {
  sheet: string
  /** `width` in characters; `format` of numbers, as spreadsheets write it. */
  columns: readonly { title: string; width: number; format?: string }[]
  rows: readonly (readonly (string | number | null)[])[]
}

/** An Excel workbook (.xlsx). It is made in a thread of its own: it takes seconds that others would wait for. */
export async function makeXlsx(sheets: readonly Sheet[]): Promise<Uint8Array> {
  const worker = new Worker(new URL('./xlsx-worker.ts', import.meta.url), {
    workerData: sheets,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const answered = Promise.withResolvers<XlsxAnswer>()
  worker.once('message', answered.resolve)
  worker.once('error', answered.reject)
  try {
    const answer = await answered.promise
    if (answer.kind === 'made') return answer.bytes
    throw receivedError(answer.error)
  } finally {
    await worker.terminate()
  }
}
