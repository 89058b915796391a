import { useRef } from 'react'

/** What a second click, while the first one's answer is still awaited, does not begin once more. */
export function useOneAtATime<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>) {
  const isUnderWay = useRef(false)
  return async (...args: Args): Promise<void> => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    try {
      await work(...args)
    } finally {
      isUnderWay.current = false
    }
  }
}
