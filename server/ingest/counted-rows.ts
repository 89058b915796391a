import { WARNING_LINES } from '#contract/import-warning.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'

/** Rows of a file with the same outcome. */
export interface CountedRows {
  outcome: AnyOutcome
  rows: number
  /** Numbers of the first of them, where they are known. */
  first?: number[]
  /** The part of the file that they are of, where parts are counted apart. */
  part?: number
}

/** Counts rows by outcome, and by part where they have one. */
export function rowCounter() {
  const counts = new Map<string, CountedRows>()
  return {
    /** `first`: numbers of the first of these rows; `part`: 0 is none. */
    add(outcome: AnyOutcome, rows = 1, { first, part }: { first?: readonly number[]; part?: number | undefined } = {}) {
      const key = JSON.stringify([outcome.code, outcome.params, part || undefined])
      const known = counts.get(key) ?? { outcome, rows: 0, ...(part ? { part } : {}) }
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
