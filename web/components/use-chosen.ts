import { useState } from 'react'

/** The selected rows of a list. */
export function useChosen<Row extends { id: number }>() {
  const [rows, setRows] = useState<Row[]>([])
  return {
    rows,
    set: setRows,
    clear: () => setRows([]),
    /** Call after rows were moved or deleted. */
    forget: (ids: readonly number[]) => setRows((now) => now.filter((row) => !ids.includes(row.id))),
  }
}

export type Chosen<Row extends { id: number }> = ReturnType<typeof useChosen<Row>>
