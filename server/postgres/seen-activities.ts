import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** Those of the activities that exist and belong to these advertisers; others are left out without a word. */
export async function seenActivities(
  db: Kysely<Database>,
  adv_ids: readonly number[],
  ids: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('campaign')
    .select('id')
    .where('id', 'in', ids)
    // No advertiser has 0: the list is never empty.
    .where('adv_id', 'in', [0, ...adv_ids])
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
