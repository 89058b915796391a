/** Recent calls by key. Not stored, so a restart begins a new minute. */
export function slidingWindow(seconds: number, now: () => number) {
  const calls = new Map<string, number[]>()
  return {
    /** Counts a call unless there were `most` already; 0 is no limit. */
    take(key: string, most: number): { isFree: boolean; used: number } {
      if (most === 0) return { isFree: true, used: 0 }
      const since = now() - seconds
      const kept = (calls.get(key) ?? []).filter((at) => at > since)
      const isFree = kept.length < most
      if (isFree) kept.push(now())
      calls.set(key, kept)
      return { isFree, used: kept.length }
    },
  }
}
