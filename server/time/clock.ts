/** Now, in epoch seconds. */
export const now = (): number => Math.floor(Date.now() / 1000)

/** Seconds left of the `length` that began at `since`; none where `since` is in the future: the clock was set back. */
export function secondsLeft(since: number, length: number): number {
  const left = since + length - now()
  return left > length ? 0 : Math.max(0, left)
}
