import { useState } from 'react'

/** The selected rows of a list. Rows selected in one `place` (a folder, an advertiser) are not kept for the next. */
export function useChosen<Row extends { id: number }>(place: string) {
  const [chosen, setChosen] = useState<{ place: string; rows: Row[] }>({ place, rows: [] })
  const rows = chosen.place === place ? chosen.rows : []
  const set = (next: Row[]) => setChosen({ place, rows: next })
  return {
    rows,
    set,
    clear: () => set([]),
    /** Call after rows were moved or deleted. */
    forget: (ids: readonly number[]) =>
      setChosen((now) => ({ ...now, rows: now.rows.filter((row) => !ids.includes(row.id)) })),
  }
}

export type Chosen<Row extends { id: number }> = ReturnType<typeof useChosen<Row>>
