import { type Kysely, sql, type Transaction } from 'kysely'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'

/**
 * Removes an advertiser that was made for an import which then failed with nothing of it stored, or was not even queued
 * (null); false, and it stays, where anything else was done there meanwhile.
 */
export function takeBack(db: Kysely<Database>, id: number, import_id: number | null): Promise<boolean> {
  return transaction(db, async (tx) => {
    // Whoever is about to add something that belongs to it holds this row: they are waited for, or find it gone.
    const row = await tx
      .selectFrom('advertiser')
      .select(['name', 'created_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row || (import_id !== null && !(await storedNothing(tx, import_id)))) return false
    const { rows: doings } = await sql`
      select 1 from audit
      where at >= ${row.created_at} and not (action = 'import.start' and detail->>'id' = ${String(import_id)}) and (
        detail->>'adv_id' = ${String(id)} or detail->'adv_ids' @> to_jsonb(${id}::int)
        or (action = 'advertiser.rename' and detail->>'id' = ${String(id)}))
      limit 1`.execute(tx)
    if (doings.length > 0) return false
    await tx.deleteFrom('advertiser').where('id', '=', id).execute()
    await audit(tx, null, 'advertiser.take_back', { id, name: row.name })
    return true
  })
}

/** It failed before anything of it was joined, and nobody tries it again. */
async function storedNothing(tx: Transaction<Database>, import_id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('import')
    .select('id')
    .where('id', '=', import_id)
    .where('status', '=', 'failed')
    .where('state', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}
