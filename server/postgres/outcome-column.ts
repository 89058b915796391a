import type { ColumnType } from 'kysely'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'

/** An outcome as jsonb. It takes no text: a sentence would not be JSON. */
export type OutcomeColumn = ColumnType<AnyOutcome | null, AnyOutcome | null | undefined, AnyOutcome | null>
