/** What of a new choice a picker holds: what was chosen before stays, and of the rest as many as there is room for. */
export function atMost<T>(next: readonly T[], before: readonly T[], max: number, keyOf: (one: T) => string): T[] {
  const held = new Set(before.map(keyOf))
  const isHeld = (one: T) => held.has(keyOf(one))
  let room = max - next.filter(isHeld).length
  return next.filter((one) => isHeld(one) || room-- > 0)
}
