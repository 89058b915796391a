import { useSyncExternalStore } from 'react'

/** What a link asks the task tray to show: a task, or the list as it is. */
export type AskedTask = number | 'any'

let asked: AskedTask | null = null
const listeners = new Set<() => void>()

/** Opens the task tray; null once it has been shown. */
export function showTask(id: AskedTask | null): void {
  asked = id
  for (const listener of listeners) listener()
}

export const useShownTask = (): AskedTask | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
