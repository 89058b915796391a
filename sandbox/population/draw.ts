/**
 * A number that looks random and is always the same for the same two numbers, from 0 to 2^32 - 1: the finaliser of
 * MurmurHash3 over both. All made-up figures of the stand-in follow from it, so that none changes between two calls.
 */
export function draw(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** One of the values, always the same for the same two numbers. The values must not be empty. */
export const drawn = <T>(values: readonly T[], a: number, b: number): T => values[draw(a, b) % values.length] as T

/** A count as the platform writes it for people: below ten thousand as it is, above in 万 with one place. */
export function countText(count: number): string {
  return count < 10_000 ? String(count) : `${(count / 10_000).toFixed(1)}万`
}
