/** How many of some people did something. */
export interface Converted {
  people: number
  converted: number
}

/** A difference of two rates with the interval that holds it in 95 of 100 cases; all between -1 and 1. */
export interface Difference {
  difference: number
  low: number
  high: number
}

/** The quantile of the normal distribution for 95 %, both sides. */
const Z = 1.959963984540054

/** Wilson's interval of one rate. */
function wilson({ people, converted }: Converted): { rate: number; low: number; high: number } {
  const rate = converted / people
  const middle = 2 * converted + Z * Z
  const half = Z * Math.sqrt(Z * Z + 4 * converted * (1 - rate))
  const under = 2 * (people + Z * Z)
  return { rate, low: (middle - half) / under, high: (middle + half) / under }
}

/**
 * The rate of the first group minus that of the second, with Newcombe's 95 % interval; null where a group is empty. The
 * interval is his method 10, made of the Wilson intervals of both rates without a correction for continuity. It is also
 * right for small groups and for rates near 0, which conversions have.
 *
 * R. G. Newcombe, Interval estimation for the difference between independent proportions: comparison of eleven methods,
 * Statistics in Medicine 17 (1998), 873–890, https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I
 */
export function differenceOf(first: Converted, second: Converted): Difference | null {
  if (first.people === 0 || second.people === 0) return null
  const [one, other] = [wilson(first), wilson(second)]
  const difference = one.rate - other.rate
  return {
    difference,
    low: difference - Math.hypot(one.rate - one.low, other.high - other.rate),
    high: difference + Math.hypot(one.high - one.rate, other.rate - other.low),
  }
}

/** Whether the first group did it more or less often than the second, or whether chance explains what is seen. */
export const verdictOf = ({ low, high }: Difference): 'more' | 'less' | 'chance' =>
  low > 0 ? 'more' : high < 0 ? 'less' : 'chance'
