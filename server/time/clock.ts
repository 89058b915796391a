/** Now, in epoch seconds. */
export const now = (): number => Math.floor(Date.now() / 1000)

/** Seconds left of `length` seconds since `since`; 0 if `since` is in the future because the clock was set back. */
export function secondsLeft(since: number, length: number): number {
  const left = since + length - now()
  return left > length ? 0 : Math.max(0, left)
}
