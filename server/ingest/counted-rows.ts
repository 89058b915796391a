import type { AnyOutcome } from '#contract/outcomes/entry.ts'

/** Rows of a file with the same outcome. */
export interface CountedRows {
  outcome: AnyOutcome
  rows: number
}

/** Counts rows by outcome. */
export function rowCounter() {
  const counts = new Map<string, CountedRows>()
  return {
    add(outcome: AnyOutcome, rows = 1) {
      const key = JSON.stringify([outcome.code, outcome.params])
      const known = counts.get(key)
      if (known) known.rows += rows
      else counts.set(key, { outcome, rows })
    },
    /** The most frequent first. */
    counts: (): CountedRows[] => [...counts.values()].sort((a, b) => b.rows - a.rows),
  }
}
