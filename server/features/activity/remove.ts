import type { Transaction } from 'kysely'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { keepLog, snapshotOf } from './log.ts'
import { keepUses } from './uses.ts'

/** Deletes an activity with its plans here; what stands on platforms is no longer known. */
export async function removeActivity(
  tx: Transaction<Database>,
  viewer_id: number,
  id: number,
  timezone: string,
  at: number,
): Promise<void> {
  const before = await snapshotOf(tx, id)
  await tx.updateTable('campaign').set({ deleted_at: at, is_open: 0 }).where('id', '=', id).execute()
  const plans = await tx
    .updateTable('campaign_plan')
    .set({ deleted_at: at })
    .where('campaign_id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute()
  const ids = [0, ...plans.map((plan) => plan.id)]
  await tx.deleteFrom('campaign_plan_there').where('plan_id', 'in', ids).execute()
  await tx
    .updateTable('campaign_change')
    .set({ state: 'replaced' })
    .where('campaign_id', '=', id)
    .where('state', '=', 'running')
    .execute()
  await keepUses(tx, id, timezone)
  await keepLog(tx, { id: viewer_id }, { campaign_id: id, op_type: 3, before, after: null })
  await audit(tx, { id: viewer_id }, 'activity.delete', { id, name: before.name })
}
