import { useState } from 'react'

/** The selected rows of a list. Rows selected in one `place` (a folder, an advertiser) are not kept for the next. */
export function useChosen<Row extends { id: number }>(place: string) {
  const [chosen, setChosen] = useState<{ place: string; rows: Row[] }>({ place, rows: [] })
  const rows = chosen.place === place ? chosen.rows : []
  return {
    rows,
    /** Removes and adds rows, whichever of an earlier call's are drawn yet. */
    change: (removed: readonly Row[], added: readonly Row[]) =>
      setChosen((now) => {
        const changed = new Set([...removed, ...added].map((row) => row.id))
        const kept = now.place === place ? now.rows.filter((row) => !changed.has(row.id)) : []
        return { place, rows: [...kept, ...added] }
      }),
    clear: () => setChosen({ place, rows: [] }),
    /** Call after rows were moved or deleted. */
    forget: (ids: readonly number[]) =>
      setChosen((now) => ({ ...now, rows: now.rows.filter((row) => !ids.includes(row.id)) })),
  }
}

export type Chosen<Row extends { id: number }> = ReturnType<typeof useChosen<Row>>
