import { type Kysely, sql, type Transaction } from 'kysely'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'

/**
 * Removes an advertiser that was made for an import, after the import failed with nothing stored or was never queued
 * (null). Returns false and keeps the advertiser where anything else belongs to it.
 */
export function takeBack(db: Kysely<Database>, id: number, import_id: number | null): Promise<boolean> {
  return transaction(db, async (tx) => {
    // Transactions that add something to the advertiser lock this row. So this one waits for them, or they find no row.
    const row = await tx
      .selectFrom('advertiser')
      .select(['name', 'created_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row || (import_id !== null && !(await storedNothing(tx, import_id)))) return false
    const { rows: otherActions } = await sql`
      select 1 from audit
      where at >= ${row.created_at} and not (action = 'import.start' and detail->>'id' = ${String(import_id)}) and (
        detail->>'adv_id' = ${String(id)} or detail->'adv_ids' @> to_jsonb(${id}::int)
        or (action = 'advertiser.rename' and detail->>'id' = ${String(id)}))
      limit 1`.execute(tx)
    if (otherActions.length > 0) return false
    await tx.deleteFrom('advertiser').where('id', '=', id).execute()
    await audit(tx, null, 'advertiser.take_back', { id, name: row.name })
    return true
  })
}

/** Whether it failed before any row was joined, and will not be retried. */
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
