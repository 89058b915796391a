import type { ColumnType } from 'kysely'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'

/** An outcome as jsonb. Its type excludes text, since a sentence is not JSON. */
export type OutcomeColumn = ColumnType<AnyOutcome | null, AnyOutcome | null | undefined, AnyOutcome | null>
