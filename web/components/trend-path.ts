interface Box {
  width: number
  height: number
}

/**
 * The line of some values as the path of an SVG, from 0 at the bottom to the highest at the top; a value that is not known
 * is a gap. Empty where fewer than two are known.
 */
export function trendPath(values: readonly (number | null)[], { width, height }: Box): string {
  const known = values.flatMap((value) => value ?? [])
  if (known.length < 2) return ''
  const top = Math.max(...known, 0)
  const bottom = Math.min(...known, 0)
  const step = width / Math.max(values.length - 1, 1)
  const place = (at: number, value: number) =>
    [at * step, top === bottom ? height : height - ((value - bottom) / (top - bottom)) * height]
      .map((one) => Number(one.toFixed(1)))
      .join(' ')
  return values
    .flatMap((value, at) => {
      if (value === null) return []
      const isAfterGap = (values[at - 1] ?? null) === null
      // A point between gaps is a dot of the line's width.
      const isAlone = isAfterGap && (values[at + 1] ?? null) === null
      return [`${isAfterGap ? 'M' : 'L'}${place(at, value)}${isAlone ? 'h0.1' : ''}`]
    })
    .join('')
}
