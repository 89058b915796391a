import { useState } from 'react'

/** The rows of a list that are chosen, to do something with all of them. */
export function useChosen<Row extends { id: number }>() {
  const [rows, setRows] = useState<Row[]>([])
  return {
    rows,
    set: setRows,
    clear: () => setRows([]),
    /** After they were moved or deleted. */
    forget: (ids: readonly number[]) => setRows((now) => now.filter((row) => !ids.includes(row.id))),
  }
}

export type Chosen<Row extends { id: number }> = ReturnType<typeof useChosen<Row>>
