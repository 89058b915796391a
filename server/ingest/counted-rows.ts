import { WARNING_LINES } from '#contract/import-warning.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'

/** Rows of a file with the same outcome. */
export interface CountedRows {
  outcome: AnyOutcome
  rows: number
  /** Numbers of the first of them, where they are known. */
  first?: number[]
}

/** Counts rows by outcome. */
export function rowCounter() {
  const counts = new Map<string, CountedRows>()
  return {
    /** `first`: numbers of the first of these rows. */
    add(outcome: AnyOutcome, rows = 1, first?: readonly number[]) {
      const key = JSON.stringify([outcome.code, outcome.params])
      const known = counts.get(key) ?? { outcome, rows: 0 }
      known.rows += rows
      if (first) {
        known.first = [...(known.first ?? []), ...first].sort((a, b) => a - b).slice(0, WARNING_LINES)
      }
      counts.set(key, known)
    },
    /** The most frequent first. */
    counts: (): CountedRows[] => [...counts.values()].sort((a, b) => b.rows - a.rows),
  }
}
