import type { getCrowdSizes } from '#contract/crowd-profile.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { formatCount, NONE } from '../../lib/format.ts'

export type Size = DataOf<typeof getCrowdSizes>['sizes'][number]

/** A size with the one before and its difference from that; null for the first. */
export type ChangedSize = Size & { before: Size | null; change: number | null }

export const withChanges = (sizes: readonly Size[]): ChangedSize[] =>
  sizes.map((size, at) => {
    const before = sizes[at - 1] ?? null
    return { ...size, before, change: before ? size.count - before.count : null }
  })

/** +1,200, -30, 没有变化. */
export const changeWords = (change: number | null): string =>
  change === null ? NONE : change === 0 ? '没有变化' : `${change > 0 ? '+' : ''}${formatCount(change)}`

/** The versions that are compared: those asked for as far as they are listed, else the last with the one before. */
export function comparedOf(
  sizes: readonly Size[],
  asked: { from?: number; to?: number },
): { from: number; to: number } {
  const listed = (version: number | undefined) => sizes.find((size) => size.version === version)?.version
  const to = listed(asked.to) ?? sizes.at(-1)?.version ?? 0
  const place = sizes.findIndex(({ version }) => version === to)
  return { from: listed(asked.from) ?? sizes[place - 1]?.version ?? to, to }
}

/** The same two versions, the earlier one first. */
export function inOrder(sizes: readonly Size[], { from, to }: { from: number; to: number }) {
  const placeOf = (version: number) => sizes.findIndex((size) => size.version === version)
  return placeOf(from) <= placeOf(to) ? { from, to } : { from: to, to: from }
}
