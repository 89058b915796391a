import type { getCrowdSizes } from '#contract/crowd-profile.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { formatCount, NONE } from '../../lib/format.ts'

export type Size = DataOf<typeof getCrowdSizes>['sizes'][number]

/** A size with its number and its difference from the one before; null for the first. */
export type ChangedSize = Size & { no: number; change: number | null }

export const withChanges = (sizes: readonly Size[]): ChangedSize[] =>
  sizes.map((size, at) => {
    const before = sizes[at - 1]
    return { ...size, no: at, change: before ? size.count - before.count : null }
  })

/** +1,200, -30, 没有变化. */
export const changeWords = (change: number | null): string =>
  change === null ? NONE : change === 0 ? '没有变化' : `${change > 0 ? '+' : ''}${formatCount(change)}`
