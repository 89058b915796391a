import type { Kysely } from 'kysely'
import type { Database } from '../postgres/schema.ts'
import { now } from '../time/clock.ts'

/** Adds an entry to an uploaded crowd's update records in the caller's transaction. OP_TYPES lists the values of `op_type`. */
export async function customLog(
  tx: Kysely<Database>,
  viewer: { id: number } | null,
  entry: {
    crowd_id: number
    op_type: 0 | 1 | 2 | 3 | 4 | 5
    what: string
    child_id?: number
    version?: number
  },
): Promise<void> {
  await tx
    .insertInto('custom_log')
    .values({ child_id: null, version: null, ...entry, viewer_id: viewer?.id ?? null, op_at: now() })
    .execute()
}
