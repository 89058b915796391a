import type { Transaction } from 'kysely'
import type { Database } from '../../postgres/schema.ts'

/** Whether the suppression list or the consents, by which pushes leave people out, changed in or after this second. */
export async function exclusionsChanged(tx: Transaction<Database>, since: number): Promise<boolean> {
  const change = await tx
    .selectFrom('audit')
    .select('id')
    .where('at', '>=', since)
    .where((eb) => eb.or([eb('action', 'like', 'suppression.%'), eb('action', 'like', 'consent.%')]))
    .executeTakeFirst()
  return change !== undefined
}
