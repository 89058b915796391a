export interface Sample {
  at: number
  sent: number
}

const SPEED_OVER_MS = 4_000

/** Adds a sample and drops old ones. */
export const sampled = (samples: readonly Sample[], next: Sample): Sample[] => [
  ...samples.filter((one) => one.at > next.at - SPEED_OVER_MS && one.sent <= next.sent),
  next,
]

/** Bytes per second over the last samples; null while there are too few. */
export function speedOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < 200) return null
  return ((last.sent - first.sent) * 1000) / (last.at - first.at)
}

export function secondsLeft(size: number, sent: number, speed: number | null): number | null {
  return speed && speed > 0 ? Math.max(0, Math.round((size - sent) / speed)) : null
}
