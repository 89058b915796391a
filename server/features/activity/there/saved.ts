import type { Transaction } from 'kysely'
import type { Plan } from '#contract/activity/plan.ts'
import { hasEnded, type Switch } from '#contract/activity/status.ts'
import { isSameBudget, PLAN_PARTS, type PlanPart } from '#contract/activity/there.ts'
import type { Database } from '../../../postgres/schema.ts'
import { editedPlans } from '../activities.ts'
import type { EndChange } from './end.ts'
import type { PlanWants, Wanted } from './want.ts'

/** What of a plan a save changed that its platform holds too. A first day that is fixed there stays. */
function changedParts(was: Plan, now: Plan, startIsFixed: boolean): PlanPart[] {
  const crowdsOf = ({ crowds }: Plan) => crowds.map(({ id, role }) => `${role} ${id}`).toSorted()
  const changed: Record<PlanPart, boolean> = {
    title: was.name !== now.name,
    start: was.start_date !== now.start_date && !startIsFixed,
    end: was.end_date !== now.end_date,
    hours: was.hours !== now.hours,
    targeting: was.package_id !== now.package_id || crowdsOf(was).join() !== crowdsOf(now).join(),
  }
  return PLAN_PARTS.filter((part) => changed[part])
}

/**
 * A submitted activity was saved: what changed of its linked plans is carried to their platforms, in the same
 * transaction. A plan that is linked anew is only read, unless it is to deliver now.
 */
export async function carrySaved(
  tx: Transaction<Database>,
  wants: PlanWants,
  { campaign_id, isOn, today }: { campaign_id: number; isOn: boolean; today: string },
  before: ReadonlyMap<number, Plan>,
): Promise<void> {
  const delivers = (plan: Plan) => isOn && plan.is_open === 1 && !hasEnded(plan, today)
  const plans = await editedPlans(tx, campaign_id)
  for (const plan of plans) {
    const was = before.get(plan.id)
    const isNew = await wants.link(tx, plan)
    if (!wants.isThere(plan)) continue
    const is_on: Switch = delivers(plan) ? 1 : 0
    const turned = isNew ? delivers(plan) : was !== undefined && delivers(was) !== delivers(plan)
    if (plan.plan_id === null) {
      // Saving asks again for a plan that could not be created. What is under way already has its switch.
      const isWaiting = (await wants.standing(tx, plan.id))?.state === 'waiting'
      await wants.want(tx, plan.id, { create: true, ...((turned || !isWaiting) && { is_on }) }, null)
      continue
    }
    const [now, old] = [plan, was ?? plan].map(({ budget_mode, budget }) => ({ mode: budget_mode, fen: budget }))
    const spent = now && old && !isNew && !isSameBudget(now, old) ? now : null
    const parts = was === undefined || isNew ? [] : changedParts(was, plan, wants.startIsFixed(plan.platform))
    if (!turned && !spent && parts.length === 0) continue
    const wanted: Wanted = { ...(turned && { is_on }), ...(spent && { budget: spent }), parts }
    await wants.want(tx, plan.id, wanted, null)
  }
  const kept = new Set(plans.map(({ id }) => id))
  const linked = new Set(plans.map(({ account_id, plan_id }) => `${account_id} ${plan_id}`))
  for (const [id, plan] of before) {
    if (kept.has(id)) continue
    // Another plan of the activity may have taken its link over.
    const isMoved = linked.has(`${plan.account_id} ${plan.plan_id}`)
    const isToStop = delivers(plan) || plan.plan_id === null || (await isBeingSwitched(tx, id))
    if (!isMoved && isToStop && wants.isThere({ ...plan, id })) {
      // It goes on being stopped there although it is no longer listed here.
      await wants.link(tx, { ...plan, id })
      await wants.want(tx, id, { is_on: 0, create: false }, null)
    } else await tx.deleteFrom('campaign_plan_there').where('plan_id', '=', id).execute()
  }
}

async function isBeingSwitched(tx: Transaction<Database>, plan_id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('campaign_plan_there')
    .select('want_on')
    .where('plan_id', '=', plan_id)
    .executeTakeFirst()
  return row !== undefined && row.want_on !== null
}

/** A save may take the last plan out of a change that is under way: nothing that is carried later would end it. */
export async function endEmptied(tx: Transaction<Database>, endChange: EndChange, campaign_id: number): Promise<void> {
  const running = await tx
    .selectFrom('campaign_change')
    .select('id')
    .where('campaign_id', '=', campaign_id)
    .where('state', '=', 'running')
    .execute()
  for (const { id } of running) await endChange(tx, id)
}
