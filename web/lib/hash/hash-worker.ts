import type { IdentifierType } from '#contract/identifier.ts'
import type { TextChoice } from '#contract/identifier-column.ts'
import { type HashCounts, hashLines } from './hash-lines.ts'

/** Whole lines of a file. */
export interface ToWorker {
  slice: Blob
  type: IdentifierType
  choice: TextChoice
  isFirst: boolean
  /** Hashes eight texts at once. */
  withLanes: boolean
  /** No line is taken as a hash. */
  allRaw: boolean
}
/** A slice with each line replaced, and its malformed lines, which stay in the browser. */
export interface HashedSlice {
  counts: HashCounts
  rows: number
  /** The lines to send. The browser may keep them on its disk, as it may with `kept`. */
  hashed: Blob
  /** One line for each malformed one: its row in the slice, its fault and its text, separated by tabs. */
  kept: Blob
  keptLines: number
}
export type FromWorker = HashedSlice | { error: string }

addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
  try {
    postMessage(hashedSlice(data, new Uint8Array(await data.slice.arrayBuffer())))
  } catch (error) {
    const answer: FromWorker = { error: error instanceof Error ? error.message : String(error) }
    postMessage(answer)
  }
})

function hashedSlice({ type, choice, isFirst, withLanes, allRaw }: ToWorker, bytes: Uint8Array): HashedSlice {
  const hashed: Blob[] = []
  const { counts, rows, kept } = hashLines(type, choice, bytes, isFirst, (part) => hashed.push(new Blob([part])), {
    withLanes,
    allRaw,
  })
  const lines = kept.map(({ row, fault, text }) => `${row}\t${fault}\t${text.replaceAll('\n', ' ')}\n`)
  return { counts, rows, hashed: new Blob(hashed), kept: new Blob(lines), keptLines: kept.length }
}
