/** A column that is drawn, or the room of columns that are not. `at`: the place of its first column among all. */
export type DrawnPart<C> = { at: number; column: C } | { at: number; gap: number }

/**
 * The columns of a wide table that are drawn while `from` to `to` is in sight (px from the edge of the first one), with gaps
 * in place of the others. Wherever that is, there are as many parts, so that cells after them keep their place, and with it
 * the focus and what is open. `isKept`: drawn wherever it is, because the keyboard must reach it.
 */
export function columnWindow<C extends { width: number }>(
  columns: readonly C[],
  { from, to }: { from: number; to: number },
  isKept: (column: C) => boolean,
): DrawnPart<C>[] {
  const touched = Math.ceil((to - from) / Math.min(...columns.map(({ width }) => width))) + 1
  // A kept column may have a gap of its own.
  const most = touched + 2 + 2 * columns.filter(isKept).length
  if (columns.length <= most) return columns.map((column, at) => ({ at, column }))
  let first = firstAfter(columns, from)
  let last = Math.min(first + touched, columns.length) - 1
  for (;;) {
    const parts = partsOf(columns, (column, at) => (at >= first && at <= last) || isKept(column))
    if (parts.length >= most) return parts
    if (last < columns.length - 1) last++
    else first--
  }
}

/** The first column that ends after so many pixels; the last one if none does. */
function firstAfter(columns: readonly { width: number }[], from: number): number {
  let end = 0
  const found = columns.findIndex(({ width }) => {
    end += width
    return end > from
  })
  return found < 0 ? columns.length - 1 : found
}

function partsOf<C extends { width: number }>(
  columns: readonly C[],
  isDrawn: (column: C, at: number) => boolean,
): DrawnPart<C>[] {
  const parts: DrawnPart<C>[] = []
  for (const [at, column] of columns.entries()) {
    const before = parts.at(-1)
    if (isDrawn(column, at)) parts.push({ at, column })
    else if (before && 'gap' in before) before.gap += column.width
    else parts.push({ at, gap: column.width })
  }
  return parts
}
