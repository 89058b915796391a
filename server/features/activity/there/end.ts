import type { Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { audit } from '../../../postgres/audit.ts'
import type { Database } from '../../../postgres/schema.ts'
import type { CampaignChangeTable } from '../../../postgres/schema-activity.ts'
import { now } from '../../../time/clock.ts'
import { keepLog, snapshotOf } from '../log.ts'
import { removeActivity } from '../remove.ts'
import { keepUses } from '../uses.ts'
import type { PlanWants } from './want.ts'

type Change = { id: number } & Omit<CampaignChangeTable, 'id' | 'state' | 'problems'>

/**
 * Ends a change of an activity once each of its plans was carried or refused. If one was refused, what changed is
 * restored: the switch here, and the switches of the others on their platforms.
 */
export function endingOfChanges(wants: PlanWants, timezone: string) {
  /** `plans`: those of the change that were carried. */
  async function restore(
    tx: Transaction<Database>,
    change: Change,
    plans: readonly { plan_id: number; was_on: 0 | 1 }[],
  ) {
    const { campaign_id, kind, plan_id, was_open } = change
    const before = await snapshotOf(tx, campaign_id)
    if (kind === 'plan' && plan_id !== null) {
      await tx.updateTable('campaign_plan').set({ is_open: was_open }).where('id', '=', plan_id).execute()
      await tx
        .updateTable('campaign')
        .set((eb) => ({ ver: eb('ver', '+', 1) }))
        .where('id', '=', campaign_id)
        .execute()
    } else await tx.updateTable('campaign').set({ is_open: was_open }).where('id', '=', campaign_id).execute()
    for (const { plan_id: id, was_on } of plans) await wants.want(tx, id, { is_on: was_on }, null)
    await keepUses(tx, campaign_id, timezone)
    const after = await snapshotOf(tx, campaign_id)
    await keepLog(tx, { id: change.viewer_id }, { campaign_id, op_type: 0, before, after })
    await audit(tx, null, 'activity.switch_restored', { id: campaign_id, kind, is_open: was_open })
  }

  return async (tx: Transaction<Database>, change_id: number): Promise<void> => {
    const change = await tx
      .selectFrom('campaign_change')
      .selectAll()
      .where('id', '=', change_id)
      .where('state', '=', 'running')
      .executeTakeFirst()
    if (!change) return
    const plans = await tx
      .selectFrom('campaign_plan_there as there')
      .innerJoin('campaign_plan as plan', 'plan.id', 'there.plan_id')
      .select(['there.plan_id', 'there.state', 'there.outcome', 'there.was_on', 'there.found', 'plan.name'])
      .where('there.change_id', '=', change_id)
      .orderBy('plan.position')
      .execute()
    if (plans.some(({ state }) => state === 'waiting')) return
    const problems = plans.flatMap(({ state, outcome: cause, name }): AnyOutcome[] =>
      state === 'idle' ? [] : [outcome('plan_fault', { plan: name, cause: cause ?? outcome('plan_not_asked') })],
    )
    await tx
      .updateTable('campaign_change')
      .set(problems.length === 0 ? { state: 'done' } : { state: 'failed', problems: JSON.stringify(problems) })
      .where('id', '=', change_id)
      .execute()
    await tx.updateTable('campaign_plan_there').set({ change_id: null }).where('change_id', '=', change_id).execute()
    if (problems.length > 0) {
      const changed = plans.flatMap(({ plan_id, state, was_on, found }) =>
        state === 'idle' && was_on !== null && found !== null && found.is_on !== (was_on === 1)
          ? [{ plan_id, was_on }]
          : [],
      )
      await restore(tx, change, changed)
    } else if (change.kind === 'delete') await removeActivity(tx, change.viewer_id, change.campaign_id, timezone, now())
  }
}
export type EndChange = ReturnType<typeof endingOfChanges>
