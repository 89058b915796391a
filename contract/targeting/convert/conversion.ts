import type { Outcome } from '../../outcome.ts'
import type { CrowdRow } from '../five-tab/crowd-row.ts'

/** Where a targeting is copied to. */
export interface CopyTarget {
  /** The package type there; null for that of the original, where the platform has it. */
  landing_type: string | null
  isSameAccount: boolean
  isSameAdvertiser: boolean
  /** The crowds of the account; null if they could not be read. */
  crowds: readonly CrowdRow[] | null
}

/** What a copy leaves out, or has in another form. */
export interface CopyChange {
  /** Of the field, in the words of the original's editor. */
  label: string
  /** What the copy does not have. */
  words: string[]
  /** What it has in their place. */
  now: string[]
  reason: Outcome
}

export interface Conversion {
  targeting: Record<string, unknown>
  changes: CopyChange[]
}
