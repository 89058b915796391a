import type { Transaction } from 'kysely'
import { SET_CONTROL_GROUP } from '../../crowds/control-groups.ts'
import type { Database } from '../../postgres/schema.ts'

/**
 * Whether the suppression list, the consents or the control groups, by which pushes leave people out, changed in or after
 * this second.
 */
export async function exclusionsChanged(tx: Transaction<Database>, since: number): Promise<boolean> {
  const change = await tx
    .selectFrom('audit')
    .select('id')
    .where('at', '>=', since)
    .where((eb) =>
      eb.or([
        eb('action', 'like', 'suppression.%'),
        eb('action', 'like', 'consent.%'),
        eb('action', '=', SET_CONTROL_GROUP),
      ]),
    )
    .executeTakeFirst()
  return change !== undefined
}
