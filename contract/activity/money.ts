/** Report money is added in millionths of a yuan: reports of platforms have more digits than a fen. */
export const MICROS_PER_YUAN = 1_000_000n
export const MICROS_PER_FEN = MICROS_PER_YUAN / 100n

/** An exact fraction; `under` is positive. */
export interface Fraction {
  over: bigint
  under: bigint
}

/** The nearest whole number to `fraction × scale`; halves away from zero. */
export function rounded({ over, under }: Fraction, scale = 1n): bigint {
  const size = (over < 0n ? -over : over) * scale
  const nearest = (2n * size + under) / (2n * under)
  return over < 0n ? -nearest : nearest
}

/** Fen of a sum in millionths of a yuan. Only sums are rounded, never what is added. */
export const fenOf = (micros: bigint): bigint => rounded({ over: micros, under: MICROS_PER_FEN })

/**
 * A whole number as JSON carries it: exact up to 2^53, and the nearest that there is beyond. No true report goes there, and
 * one odd cell must not take the list down.
 */
export const wireNumber = (whole: bigint): number => Number(whole)
