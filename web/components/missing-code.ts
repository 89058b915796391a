import { useSyncExternalStore } from 'react'

/** Code that was fetched and did not arrive. */
const missing = new Set<unknown>()
const listeners = new Set<() => void>()

/** Says whether some code arrived; what has not may be asked for again. */
export function codeArrived(code: unknown, hasArrived: boolean): void {
  if (hasArrived) missing.delete(code)
  else missing.add(code)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether a part of the page is missing because its code did not arrive. */
export const useIsCodeMissing = () => useSyncExternalStore(subscribe, () => missing.size > 0)
