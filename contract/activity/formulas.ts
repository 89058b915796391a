import { type MetricKey, metricOf, unitOf } from './metrics.ts'
import { type Fraction, fenOf, MICROS_PER_FEN, rounded, wireNumber } from './money.ts'

/**
 * Sums of metrics, each in its unit (`unitOf`). One that is missing or null is not known, because no source offers it;
 * it is shown as --, never as 0.
 */
export type MetricSums = Partial<Record<MetricKey, bigint | null>>

interface Formula {
  /** Added up. */
  over: readonly MetricKey[]
  under: MetricKey
  times?: bigint
}

/** Rates, costs and returns, each computed once from sums; an average of averages would weigh small plans like large ones. */
export const FORMULAS = {
  click_rate: { over: ['click_pv'], under: 'imp_pv' },
  cpm_platform: { over: ['cost'], under: 'imp_pv', times: 1000n },
  create_order_roi: { over: ['create_order_amount'], under: 'cost' },
  pay_order_roi: { over: ['pay_order_amount', 'prepay_order_amount'], under: 'cost' },
  convert_cost: { over: ['cost'], under: 'covert_cnt' },
  convert_rate: { over: ['covert_cnt'], under: 'click_pv' },
  pay_per_order: { over: ['pay_order_amount'], under: 'pay_order_cnt' },
  gdt_ctr: { over: ['gdt_valid_click_count'], under: 'gdt_view_count' },
  gdt_cpc: { over: ['gdt_cost'], under: 'gdt_valid_click_count' },
  coupon_take_pv_cost: { over: ['cost'], under: 'coupon_total_take' },
  coupon_take_uv_cost: { over: ['cost'], under: 'coupon_take_uv' },
  coupon_used_pv_cost: { over: ['cost'], under: 'coupon_total_used' },
  coupon_used_uv_cost: { over: ['cost'], under: 'coupon_used_uv' },
} as const satisfies Partial<Record<MetricKey, Formula>>
export type DerivedKey = keyof typeof FORMULAS

export const isDerived = (key: MetricKey): key is DerivedKey => Object.hasOwn(FORMULAS, key)

/** The sum of two sums. What only one of them knows is known of both together. */
export function addSums(one: MetricSums, other: MetricSums): MetricSums {
  const sum: MetricSums = { ...one }
  for (const [key, value] of Object.entries(other) as [MetricKey, bigint | null][]) {
    const had = sum[key] ?? null
    sum[key] = value === null ? had : value + (had ?? 0n)
  }
  return sum
}

/** The exact value of a formula; null if a sum that it needs is not known, or is the zero that it divides by. */
export function derive(key: DerivedKey, sums: MetricSums): Fraction | null {
  const { over, under, times = 1n }: Formula = FORMULAS[key]
  const below = sums[under] ?? 0n
  const known = over.flatMap((part) => sums[part] ?? [])
  if (below === 0n || known.length === 0) return null
  return { over: known.reduce((sum, part) => sum + part, 0n) * times, under: below }
}

/** Digits after the point, as they are shown: 12.35% is 0.1235, and a return has two. */
const PERCENT_SCALE = 10_000
const RATIO_SCALE = 100

/** A column's value for the wire: money in fen, shares and ratios as numbers; null is shown as --. Rounded once, here. */
export function metricValue(key: MetricKey, sums: MetricSums): number | null {
  const { format } = metricOf(key)
  if (!isDerived(key)) {
    const sum = sums[key] ?? null
    return sum === null ? null : wireNumber(unitOf(key) === 'micros' ? fenOf(sum) : sum)
  }
  const fraction = derive(key, sums)
  if (fraction === null) return null
  if (format === 'money') return wireNumber(rounded({ ...fraction, under: fraction.under * MICROS_PER_FEN }))
  const scale = format === 'percent' ? PERCENT_SCALE : RATIO_SCALE
  return wireNumber(rounded(fraction, BigInt(scale))) / scale
}
