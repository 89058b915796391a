import type { Transaction } from 'kysely'
import type { z } from 'zod'
import { activityFaults, type Plan } from '#contract/activity/plan.ts'
import { lastDayOf } from '#contract/activity/status.ts'
import { type FaceThere, type PlanPart, unmarked } from '#contract/activity/there.ts'
import { PlanName, type settlePlan } from '#contract/activity-plan.ts'
import { outcome } from '#contract/outcome.ts'
import { AppError } from '../../errors.ts'
import { mustNameNoPhone } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { dayOf } from '../../time/day.ts'
import { changePlan, editedPlans, type StoredActivity } from './activities.ts'
import type { ActivityDeps } from './deps.ts'
import { keepLog, snapshotOf } from './log.ts'
import { mustBeRight } from './save.ts'
import { faceOf, foreignChange, type ThereRow } from './there/row.ts'
import type { PlanWants } from './there/want.ts'
import { keepUses } from './uses.ts'

type Changed = Partial<FaceThere>
interface Found {
  plan: Plan & { id: number }
  there: ThereRow
  changed: Changed
}

/** Decides whose name and days a plan has that was changed on its platform after we created it there. */
export function settlePlans({ db, timezone }: Pick<ActivityDeps, 'db' | 'timezone'>, wants: PlanWants) {
  /** The plan becomes what it is there. A name that cannot be used here stays to be decided on. */
  async function adopt(
    tx: Transaction<Database>,
    viewer: Viewer,
    row: StoredActivity,
    { plan, there, changed }: Found,
  ) {
    const plans = await editedPlans(tx, row.id)
    const others = new Set(plans.flatMap(({ id, name }) => (id === plan.id ? [] : [name])))
    const name = changed.name === undefined ? undefined : unmarked(changed.name, there.mark)
    const isUsable = name !== undefined && PlanName.safeParse(name).success && !others.has(name)
    if (changed.name !== undefined && !isUsable && changed.days === undefined) {
      throw new AppError('badInput', { reason: outcome('plan_name_unusable', { name: changed.name }) })
    }
    if (isUsable) mustNameNoPhone(viewer, name)
    const next = { ...plan, ...(isUsable && { name }), ...(changed.days && daysHere(plan, changed.days)) }
    const all = plans.map((one) => (one.id === plan.id ? next : one))
    const ends = new Map(all.map(({ id, end_date }) => [id, end_date]))
    mustBeRight(activityFaults(all, { isSubmitted: row.submitted_at !== null, today: dayOf(now(), timezone), ends }))
    const { start_date, end_date } = next
    await tx
      .updateTable('campaign_plan')
      .set({ name: next.name, start_date, end_date })
      .where('id', '=', plan.id)
      .execute()
    await tx
      .updateTable('campaign')
      .set((eb) => ({ last_day: lastDayOf(all), saved_by: viewer.id, saved_at: now(), ver: eb('ver', '+', 1) }))
      .where('id', '=', row.id)
      .execute()
    const agreed = { ...there.agreed, ...(there.found && faceOf(there.found)) } as FaceThere
    const kept = isUsable || there.agreed === null ? agreed : { ...agreed, name: there.agreed.name }
    await tx
      .updateTable('campaign_plan_there')
      .set({ agreed: JSON.stringify(kept) })
      .where('plan_id', '=', plan.id)
      .execute()
    await keepUses(tx, row.id, timezone)
  }

  /** What was changed there is written as it is here. */
  function overwrite(tx: Transaction<Database>, { plan, changed }: Found) {
    const days: PlanPart[] = wants.startIsFixed(plan.platform) ? ['end'] : ['start', 'end']
    const parts: PlanPart[] = [...(changed.name === undefined ? [] : ['title' as const]), ...(changed.days ? days : [])]
    return wants.want(tx, plan.id, { parts }, null)
  }

  return (viewer: Viewer, { id, keep }: z.output<typeof settlePlan.body>): Promise<z.output<typeof settlePlan.data>> =>
    changePlan(db, viewer, id, async (tx, row, plan) => {
      const there = await wants.standing(tx, id)
      const changed = there ? foreignChange(plan, there) : {}
      if (!there || Object.keys(changed).length === 0) {
        throw new AppError('badInput', { reason: outcome('plan_same_there') })
      }
      const found: Found = { plan, there, changed }
      if (keep === 'ours') await overwrite(tx, found)
      else {
        const before = await snapshotOf(tx, row.id)
        await adopt(tx, viewer, row, found)
        await keepLog(tx, viewer, { campaign_id: row.id, op_type: 2, before, after: await snapshotOf(tx, row.id) })
      }
      await audit(tx, viewer, 'activity.settle_plan', { id, campaign_id: row.id, keep })
      return settled(tx, id)
    })
}

const settled = (tx: Transaction<Database>, id: number) =>
  tx
    .selectFrom('campaign_plan as plan')
    .innerJoin('campaign', 'campaign.id', 'plan.campaign_id')
    .select(['campaign.ver', 'plan.name', 'plan.start_date', 'plan.end_date'])
    .where('plan.id', '=', id)
    .executeTakeFirstOrThrow()

/** A first day that the platform does not say stays. */
const daysHere = ({ start_date }: Plan, { start, end }: NonNullable<Changed['days']>) => ({
  start_date: start ?? start_date,
  end_date: end,
})
