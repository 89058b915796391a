import { useRef } from 'react'

/** Ignores calls while one is pending. */
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
