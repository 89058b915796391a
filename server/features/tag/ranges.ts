import type { ValueCondition } from '#contract/tag-condition.ts'

/** The ranges of an attribute with too many values for one tag each. */
const RANGES = 10
/** The cuts, as shares of the people. */
export const QUANTILES = Array.from({ length: RANGES - 1 }, (_, index) => (index + 1) / RANGES)

export type Range = Extract<ValueCondition, { is: 'range' }>
export interface NamedRange {
  name: string
  condition: ValueCondition
}

/** Whether ranges hold every value: each begins where another one ends, and the outermost are open. */
export function isWhole(ranges: readonly Pick<Range, 'from' | 'to'>[]): boolean {
  const ends = (of: 'from' | 'to') => new Set(ranges.map((range) => range[of]))
  const [begins, stops] = [ends('from'), ends('to')]
  return ranges.length > 0 && begins.has(null) && stops.has(null) && begins.symmetricDifference(stops).size === 0
}

/** The distribution of the values: numbers, or dates as epoch seconds. */
export interface Spread {
  least: number
  most: number
  /** The values at `QUANTILES`. */
  quantiles: readonly number[]
  /** Quantiles of the values above the minimum, if over a tenth of the people have the minimum (no purchase, no visit). */
  above?: { least: number; quantiles: readonly number[] } | undefined
}

/** The shares at which `above` is cut; the smallest value has a range of its own. */
export const QUANTILES_ABOVE = Array.from({ length: RANGES - 2 }, (_, index) => (index + 1) / (RANGES - 1))

/** Up to ten ranges with about the same number of people each, cut at round numbers. */
export function numberRanges(spread: Spread): NamedRange[] {
  const words = {
    below: (to: string) => `小于 ${to}`,
    between: (from: string, to: string) => `${from} ~ ${to}`,
    above: (from: string) => `${from} 及以上`,
    as: 'number' as const,
  }
  const { least, above } = spread
  if (!above) return named(cutsOf(least, spread.quantiles), numberText, words)
  const first = between(least, above.least)
  const [lowest, ...others] = named([first, ...cutsOf(above.least, above.quantiles)], numberText, words)
  return lowest ? [{ ...lowest, name: numberText(least) }, ...others] : []
}

/** The number with the fewest digits above `low` and up to `high`. */
function between(low: number, high: number): number {
  for (let digits = 1; digits < 16; digits++) {
    const near = roundedNumber(high, digits)
    const step = 10 ** (Math.floor(Math.log10(Math.abs(high) || 1)) - digits + 1)
    const cut = near <= high ? near : roundedNumber(near - step, digits)
    if (cut > low && cut <= high) return cut
  }
  return high
}

/** Units in which dates are cut; the coarsest one that keeps the quantiles apart is used. */
const DATE_UNITS = ['YYYY-MM-DD', 'YYYY-MM-DD HH:00:00', 'YYYY-MM-DD HH:mm:ss'] as const

/** The same for dates; `text` writes an instant, rounded down to a unit. */
export function dateRanges(spread: Spread, text: (seconds: number, unit: string) => string): NamedRange[] {
  const wanted = new Set(spread.quantiles.map((quantile) => Math.floor(quantile))).size
  let cuts: string[] = []
  for (const unit of DATE_UNITS) {
    const first = text(spread.least, unit)
    cuts = [...new Set(spread.quantiles.map((quantile) => text(quantile, unit)))].filter((cut) => cut > first)
    if (cuts.length >= wanted) break
  }
  return named(cuts.toSorted(), (cut) => cut, {
    below: (to) => `${to} 前`,
    between: (from, to) => `${from} ~ ${to}`,
    above: (from) => `${from} 起`,
    as: 'date',
  })
}

function named<T>(
  cuts: readonly T[],
  text: (cut: T) => string,
  words: {
    below(to: string): string
    between(from: string, to: string): string
    above(from: string): string
    as: 'number' | 'date'
  },
): NamedRange[] {
  const ends = cuts.map(text)
  const [first] = ends
  const last = ends.at(-1)
  if (first === undefined || last === undefined) return []
  const range = (from: string | null, to: string | null): ValueCondition => ({ is: 'range', from, to, as: words.as })
  return [
    { name: words.below(first), condition: range(null, first) },
    ...ends.slice(1).map((to, index) => {
      const from = ends[index] as string
      return { name: words.between(from, to), condition: range(from, to) }
    }),
    { name: words.above(last), condition: range(last, null) },
  ]
}

/** Rounds to as few digits as keep each cut nearer to its own quantile than to the next one. */
function cutsOf(least: number, quantiles: readonly number[]): number[] {
  const distinct = [...new Set(quantiles)].filter((quantile) => quantile > least).toSorted((a, b) => a - b)
  const cuts = distinct.map((quantile, index) => {
    const before = distinct[index - 1] ?? least
    const after = distinct[index + 1] ?? Number.POSITIVE_INFINITY
    // Divides first, since the difference of two numbers may overflow.
    const room = Math.min(quantile / 3 - before / 3, after / 3 - quantile / 3)
    for (let digits = 1; digits < 16; digits++) {
      const cut = roundedNumber(quantile, digits)
      if (Number.isFinite(cut) && Math.abs(cut - quantile) <= room && cut > least) return cut
    }
    return quantile
  })
  return [...new Set(cuts)]
}

const roundedNumber = (value: number, digits: number) => Number(value.toPrecision(digits))

/** Plain digits if that is short, else exponent notation; the engine reads both. */
function numberText(value: number): string {
  const size = Math.abs(value)
  return value === 0 || (size >= 1e-6 && size < 1e15) ? String(value) : value.toExponential()
}
