import { sql } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { EveryShard } from '../clickhouse/handles.ts'
import { slotColumn } from '../clickhouse/person-sql.ts'
import type { Postgres } from '../postgres/open.ts'
import { transaction } from '../postgres/transaction.ts'

const LOST = outcome('warehouse_lost')

/**
 * Makes the records fit an empty warehouse: tags are counted again, uploaded crowds lose their versions, since the
 * identifiers were in the lost warehouse, and earlier versions of crowds have no people any more. Stores `value` under `setting` in the same transaction.
 */
export async function startOver(
  db: Postgres['db'],
  load: EveryShard,
  { setting, value }: { setting: string; value: string },
): Promise<void> {
  const slots = await db.selectFrom('attribute').select('slot').distinct().orderBy('slot').execute()
  const columns = slots.map(({ slot }) => `ADD COLUMN IF NOT EXISTS ${slotColumn(slot)} String`)
  if (columns.length > 0) await load.command(`ALTER TABLE person_row ${columns.join(', ')}`)
  await transaction(db, async (tx) => {
    await tx
      .insertInto('setting')
      .values({ name: setting, value })
      .onConflict((oc) => oc.column('name').doUpdateSet({ value }))
      .execute()
    await tx
      .updateTable('tag')
      .set((of) => ({ is_dirty: true, generation: of('generation', '+', 1) }))
      .execute()
    await tx.updateTable('crowd_size').set({ has_members: false }).where('has_members', '=', true).execute()
    // Others are recomputed once their tags are counted.
    await tx
      .updateTable('people')
      .set({ next_at: sql<number>`extract(epoch from now())::bigint` })
      .where('schedule', 'is not', null)
      .execute()
    await tx.updateTable('custom_version').set({ status: 'failed', error: LOST }).where('status', '=', 'done').execute()
    await tx
      .updateTable('custom_crowd')
      .set({ version: 0, size: null, matched: null, counted_at: null, fail_reason: LOST })
      .where('version', '>', 0)
      .execute()
  })
}
