import type { Selectable, Transaction } from 'kysely'
import type { Database } from '../../postgres/schema.ts'
import type { CustomTables } from '../../postgres/schema-custom.ts'

/** A crowd's audience on one platform account. */
export type Child = Selectable<CustomTables['audience']>

/** Locks a child. Every start, end and removal of something of it takes this lock first. */
export const lockChild = (tx: Transaction<Database>, id: number): Promise<Child | undefined> =>
  tx.selectFrom('audience').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** The same without waiting: 'held' while another transaction has the lock. */
export async function tryLockChild(tx: Transaction<Database>, id: number): Promise<Child | 'held' | undefined> {
  const child = tx.selectFrom('audience').selectAll().where('id', '=', id)
  return (await child.forUpdate().skipLocked().executeTakeFirst()) ?? ((await child.executeTakeFirst()) && 'held')
}
