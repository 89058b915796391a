/** Prices of phones in yuan. The upper end of the slider means no upper bound. */
export const PRICE = { min: 0, max: 11_000, step: 500 } as const
export type PriceRange = [low: number, high: number]
export const PRICE_DEFAULT: PriceRange = [0, 6000]

/** The ranges that one click chooses. */
export const QUICK_PRICES: readonly { label: string; range: PriceRange }[] = [
  { label: '2000-4000', range: [2000, 4000] },
  { label: '4000-6000', range: [4000, 6000] },
  { label: '6000-8000', range: [6000, 8000] },
  { label: '8000+', range: [8000, PRICE.max] },
]

/**
 * The range after one of its ends was typed: on a step, within the slider, and a step away from the other end. What was
 * typed counts; the other end gives way.
 */
export function priceTyped([low, high]: PriceRange, end: 'low' | 'high', typed: number): PriceRange {
  const onStep = Math.round(typed / PRICE.step) * PRICE.step
  if (end === 'low') {
    const from = Math.min(Math.max(onStep, PRICE.min), PRICE.max - PRICE.step)
    return [from, Math.max(high, from + PRICE.step)]
  }
  const to = Math.max(Math.min(onStep, PRICE.max), PRICE.min + PRICE.step)
  return [Math.min(low, to - PRICE.step), to]
}

/** A range in words: 2000-4000 元, 8000 元以上, 不限. */
export function priceWords([low, high]: PriceRange): string {
  if (high < PRICE.max) return `${low}-${high} 元`
  return low === PRICE.min ? '不限' : `${low} 元以上`
}
