import { useState } from 'react'

/** The second of two clicks comes within this time of the first, ms. */
const SECOND_CLICK_MS = 500

/**
 * Runs a work once where somebody clicks twice: not again while it is under way, nor so soon after the first click that
 * it is the second of two, unless it failed. A work may end well without anything done, as when its question was
 * answered no, so that a later click always counts.
 */
export function onceGuard() {
  let isHeld = false
  const free = () => {
    isHeld = false
  }
  return async (work: () => unknown): Promise<void> => {
    if (isHeld) return
    const started = Date.now()
    const done = work()
    if (!(done instanceof Promise)) return
    isHeld = true
    try {
      await done
      setTimeout(free, Math.max(0, SECOND_CLICK_MS - (Date.now() - started)))
    } catch (error) {
      free()
      throw error
    }
  }
}

/** The work, guarded against a second click. */
export function useOnce<Given extends unknown[]>(
  work: (...given: Given) => unknown,
): (...given: Given) => Promise<void> {
  const [guard] = useState(onceGuard)
  return (...given) => guard(() => work(...given))
}
