import { useEffect, useState } from 'react'

/** Searches wait this long after the last key. */
export const SEARCH_DELAY_MS = 500

/** The value once it has stood still for `ms`. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
