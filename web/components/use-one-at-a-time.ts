import { useRef } from 'react'

/** Ignores a call for the same thing while one is pending, as a double click makes; others are not kept waiting. */
export function useOneAtATime<Thing extends { id: number }>(work: (thing: Thing) => Promise<unknown>) {
  const underWay = useRef(new Set<number>())
  return async (thing: Thing): Promise<void> => {
    const { id } = thing
    if (underWay.current.has(id)) return
    underWay.current.add(id)
    try {
      await work(thing)
    } finally {
      underWay.current.delete(id)
    }
  }
}
