import type { ChunkMoments } from '../reading/chunk-reader.ts'
import type { ChunkRange } from './dedupe.ts'

interface RepeatsPlan {
  kind: 'users' | 'events'
  /** Whether the table has rows of the advertiser. */
  hadRows: boolean
  /** Whether the table has events of the advertiser that fit this condition. */
  hasEvents: (condition: string) => Promise<boolean>
}

const moment = (ms: number) => `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`
const between = (first: number, last: number) => ({
  there: `ts >= ${moment(first)} AND ts <= ${moment(last)}`,
  here: `ts >= ${first} AND ts <= ${last}`,
})

/** Finds where rows that a chunk repeats may be: for events at the same times, for users anywhere. */
export function openRepeats({ kind, hadRows, hasEvents }: RepeatsPlan) {
  const ranges: [number, number][] = []

  /** Called once per chunk, in order; `isFirst`: the stage is still empty. */
  return async function rangeOf({ lo, hi, messages }: ChunkMoments, isFirst: boolean): Promise<ChunkRange> {
    const anywhere = { there: '1', here: '1' }
    if (kind === 'users') return { table: hadRows ? anywhere : null, stage: isFirst ? null : anywhere }
    const [from, to] = [Number(lo), Number(hi)]
    const within = between(from, to)
    // Successive chunks of a file sorted by time share at most one moment.
    const shared = ranges
      .map(([first, last]) => [Math.max(first, from), Math.min(last, to)] as const)
      .filter(([first, last]) => first <= last)
    ranges.push([from, to])
    // Rows with the same message id may have different times.
    if (messages > 0) return { table: hadRows ? anywhere : null, stage: isFirst ? null : anywhere }
    const isMet = hadRows && (await hasEvents(within.there))
    return {
      table: isMet ? within : null,
      stage:
        shared.length === 0
          ? null
          : between(Math.min(...shared.map(([first]) => first)), Math.max(...shared.map(([, last]) => last))),
    }
  }
}
