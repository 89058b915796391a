import type { IdentifierType } from '#contract/identifier.ts'
import { type HashCounts, hashLines } from './hash-lines.ts'

/** Whole lines of a file. */
export interface ToWorker {
  slice: Blob
  type: IdentifierType
}
export type FromWorker = { counts: HashCounts; parts: Uint8Array<ArrayBuffer>[] } | { error: string }

addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
  try {
    const { parts, ...counts } = hashLines(data.type, new Uint8Array(await data.slice.arrayBuffer()))
    const answer: FromWorker = { counts, parts }
    postMessage(answer, { transfer: parts.map((part) => part.buffer) })
  } catch (error) {
    const answer: FromWorker = { error: error instanceof Error ? error.message : String(error) }
    postMessage(answer)
  }
})
