import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'

/**
 * The selected rows of a list. Rows selected in one `place` (a folder, an advertiser) are not kept for the next. Only what
 * calls `useChosenRows` is drawn again by a selection.
 */
export function useChosen<Row extends { id: number }>(place: string) {
  const [store] = useState(() => chosenStore<Row>())
  useEffect(
    () => () => {
      if (store.now().place === place) store.set({ place: '', rows: NONE })
    },
    [store, place],
  )
  return useMemo(
    () => ({
      subscribe: store.subscribe,
      rows: () => (store.now().place === place ? store.now().rows : NONE),
      set: (rows: readonly Row[]) => store.set({ place, rows }),
      clear: () => store.set({ place, rows: NONE }),
      /** Call after rows were moved or deleted. */
      forget: (ids: readonly number[]) => {
        const { place, rows } = store.now()
        store.set({ place, rows: rows.filter((row) => !ids.includes(row.id)) })
      },
    }),
    [store, place],
  )
}

export type Chosen<Row extends { id: number }> = ReturnType<typeof useChosen<Row>>

export const useChosenRows = <Row extends { id: number }>(chosen: Chosen<Row>): readonly Row[] =>
  useSyncExternalStore(chosen.subscribe, chosen.rows)

const NONE: readonly never[] = []

function chosenStore<Row>() {
  let state: { place: string; rows: readonly Row[] } = { place: '', rows: NONE }
  const listeners = new Set<() => void>()
  return {
    now: () => state,
    set(next: typeof state) {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
