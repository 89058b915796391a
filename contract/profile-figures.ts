/** A group of people, and how many of them have a tag. */
export interface Sample {
  size: number
  count: number
}

/** The share of a group that has the tag, from 0 to 1; null for a group of nobody. */
export const shareOf = ({ size, count }: Sample): number | null => (size === 0 ? null : count / size)

/**
 * The target group index: the share among the group, of the share in the base, times 100. Above 100 the group has the tag
 * more often than the base; null where the base never has it or one of them is empty.
 */
export function tgiOf(group: Sample, base: Sample): number | null {
  const [share, usual] = [shareOf(group), shareOf(base)]
  return share === null || usual === null || usual === 0 ? null : (share / usual) * 100
}

/** Below this many expected people the test's approximation is poor (Cochran's rule). */
const EXPECTED_MIN = 5

/**
 * The probability of a difference at least as large if both groups had the tag equally often: the two-sided z-test of two
 * proportions with the share of all of them together, where `both` are the people of both groups. Their part in both
 * shares cancels out, so a group may lie within the other: the answer is then that of the group and the rest. null where
 * too few people are expected, or the groups are the same.
 */
export function differenceP(a: Sample, b: Sample, both: Sample = { size: 0, count: 0 }): number | null {
  const size = a.size + b.size - both.size
  const pooled = size === 0 ? 0 : (a.count + b.count - both.count) / size
  const smallest = Math.min(a.size, b.size) * Math.min(pooled, 1 - pooled)
  if (smallest < EXPECTED_MIN) return null
  const spread = 1 / a.size + 1 / b.size - (2 * both.size) / (a.size * b.size)
  if (both.size === size || spread <= 0) return null
  const z = (a.count / a.size - b.count / b.size) / Math.sqrt(pooled * (1 - pooled) * spread)
  return Math.min(1, errorComplement(Math.abs(z) / Math.SQRT2))
}

/** erfc(x) for x ≥ 0, with a relative error under 1.2e-7: Numerical Recipes, 2nd edition, section 6.2, erfcc. */
function errorComplement(x: number): number {
  const t = 1 / (1 + x / 2)
  const powers = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ]
  return t * Math.exp(-x * x + powers.reduceRight((sum, factor) => sum * t + factor, 0))
}

/** The share of false discoveries that is accepted among what is called significant. */
export const FALSE_DISCOVERIES = 0.01

/**
 * Which of many differences are significant, where FALSE_DISCOVERIES of those called so may be chance: the procedure of
 * Benjamini and Hochberg (1995). Those without a probability are not.
 */
export function areSignificant(probabilities: readonly (number | null)[]): boolean[] {
  const known = probabilities.filter((p) => p !== null).sort((a, b) => a - b)
  const last = known.findLast((p, at) => p <= (FALSE_DISCOVERIES * (at + 1)) / known.length)
  return probabilities.map((p) => p !== null && last !== undefined && p <= last)
}
