import { useSyncExternalStore } from 'react'

/** Tasks begun in this tab whose success is said, with the words to say. */
const awaited = new Map<number, string>()
const listeners = new Set<() => void>()
let added = 0

export const awaitedTasks = {
  add(task_id: number, words: string) {
    awaited.set(task_id, words)
    added++
    for (const listener of listeners) listener()
  },
  ids: (): number[] => [...awaited.keys()],
  /** The words of a task that has ended, which is no longer awaited then. */
  ended(task_id: number): string | undefined {
    const words = awaited.get(task_id)
    awaited.delete(task_id)
    return words
  },
}

/** Changes with each awaited task: a quick one may have ended in the list before it is awaited. */
export const useAwaited = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => added,
  )
