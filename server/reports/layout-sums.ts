import type { MetricSums } from '#contract/activity/formulas.ts'
import type { ReportedKey } from '#contract/activity/metrics.ts'

/**
 * Columns of a statement over rows of reports that is also grouped by `layout`: the sums of every metric, in 128 bits, in
 * the order of the layout. Rows of one layout have the same metrics in the same order, so they are added up by position.
 */
export const LAYOUT_SUMS =
  "layout, count() AS rows, arrayMap(sum -> toString(sum), sumForEach(CAST(mapValues(metrics), 'Array(Int128)'))) AS sums"

export interface LayoutSums {
  layout: string
  rows: number
  sums: string[]
}

/** Sums by layout; the rows are counted, since without a row of a metric its sum is not known. */
export type Layouts = ReadonlyMap<string, { rows: number; sums: readonly bigint[] }>

export const layoutsOf = (found: readonly LayoutSums[]): Layouts =>
  found.reduce<Layouts>(
    (all, { layout, rows, sums }) => combined(all, new Map([[layout, { rows, sums: sums.map(BigInt) }]]), 1),
    new Map(),
  )

/** The sums of one with those of the other added, or taken away (-1). */
export function combined(one: Layouts, other: Layouts, sign: 1 | -1): Layouts {
  const all = new Map(one)
  for (const [layout, { rows, sums }] of other) {
    const had = all.get(layout)
    const signed = BigInt(sign)
    const now = {
      rows: (had?.rows ?? 0) + sign * rows,
      sums: sums.map((sum, at) => (had?.sums[at] ?? 0n) + signed * sum),
    }
    if (now.rows === 0) all.delete(layout)
    else all.set(layout, now)
  }
  return all
}

/** Adds the sums of layouts to those of metrics. */
export function addLayouts(to: MetricSums, layouts: Layouts): void {
  for (const [layout, { sums }] of layouts) {
    if (layout === '') continue
    for (const [at, name] of layout.split(',').entries()) {
      // A layout is made of the keys that a writer of rows may use.
      const key = name as ReportedKey
      to[key] = (to[key] ?? 0n) + (sums[at] ?? 0n)
    }
  }
}
