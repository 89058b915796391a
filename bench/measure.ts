export async function timed<T>(work: () => Promise<T>): Promise<[milliseconds: number, answer: T]> {
  const started = performance.now()
  const answer = await work()
  return [performance.now() - started, answer]
}

/** The smallest value that at least the share `part` of all values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

/** Random integers below a bound, the same for the same seed. */
export function randomBelow(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
