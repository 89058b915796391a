/** A rate for each key: a bucket holds what two seconds allow and fills evenly. */
export function keyRates(perSecond: number, clock: () => number = () => performance.now()) {
  const buckets = new Map<number, { left: number; at: number }>()
  const capacity = perSecond * 2

  return {
    /**
     * Takes so many messages of a key's rate; returns the seconds to wait if that is too many. `before`: what the same call
     * has taken already.
     */
    take(key_id: number, messages: number, before = 0): number | null {
      const at = clock()
      const had = buckets.get(key_id) ?? { left: capacity, at }
      const left = Math.min(capacity, had.left + ((at - had.at) / 1000) * perSecond)
      // What no bucket ever holds waits for a full one.
      const needed = Math.max(0, Math.min(messages, capacity - before))
      if (left < needed) {
        buckets.set(key_id, { left, at })
        return Math.max(1, Math.ceil((before + needed - left) / perSecond))
      }
      buckets.set(key_id, { left: left - messages, at })
      return null
    },
  }
}

const WINDOW_MS = 60_000
const ADDRESSES_MAX = 10_000

/** For another address the oldest count goes alone: somebody with many addresses must not end the counts of all. */
function makeRoom(counts: Map<string, unknown>, address: string): void {
  counts.delete(address)
  const [oldest] = counts.keys()
  if (oldest !== undefined && counts.size >= ADDRESSES_MAX) counts.delete(oldest)
}

/** Counts the unknown keys that an address tries, so that nobody tries keys without end. One wrong key counts once. */
export function strangers(perMinute: number, clock: () => number = () => performance.now()) {
  const counts = new Map<string, { keys: Set<string>; until: number }>()
  const current = (address: string) => {
    const found = counts.get(address)
    return found && found.until > clock() ? found : undefined
  }
  return {
    isTooMany: (address: string): boolean => (current(address)?.keys.size ?? 0) >= perMinute,
    /** Whether the address tried the key in this minute already. */
    isKnown: (address: string, key: string): boolean => current(address)?.keys.has(key) ?? false,
    count(address: string, key: string): void {
      const found = current(address)
      if (found) return void found.keys.add(key)
      makeRoom(counts, address)
      counts.set(address, { keys: new Set([key]), until: clock() + WINDOW_MS })
    },
  }
}

/** Counts the calls of an address that bring no good key, whatever key they try: unpacking and reading them is work too. */
export function keylessCalls(perMinute: number, clock: () => number = () => performance.now()) {
  const counts = new Map<string, { calls: number; until: number }>()
  const current = (address: string) => {
    const found = counts.get(address)
    return found && found.until > clock() ? found : undefined
  }
  return {
    isTooMany: (address: string): boolean => (current(address)?.calls ?? 0) >= perMinute,
    count(address: string): void {
      const found = current(address)
      if (found) return void found.calls++
      makeRoom(counts, address)
      counts.set(address, { calls: 1, until: clock() + WINDOW_MS })
    },
  }
}
