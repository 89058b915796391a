import type { z } from 'zod'
import { planSwitchRefusal, switchRefusal } from '#contract/activity/actions.ts'
import { activityFaults } from '#contract/activity/plan.ts'
import { activityStatus, hasEnded, planStatus } from '#contract/activity/status.ts'
import type { switchActivity, switchPlan } from '#contract/activity.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { now } from '../../time/clock.ts'
import { dayOf } from '../../time/day.ts'
import { changeActivity, editedPlans } from './activities.ts'
import type { ActivityDeps } from './deps.ts'
import { keepLog, snapshotOf } from './log.ts'
import { missingThings } from './plan-checks.ts'
import { mustBeRight } from './save.ts'
import { keepUses } from './uses.ts'

type Wanted = z.output<typeof switchActivity.body>
type Switched = z.output<typeof switchPlan.data>

/** Switches and deletes activities. What is on the platforms stays as it is there. */
export function switchActivities({ db, timezone }: Pick<ActivityDeps, 'db' | 'timezone'>) {
  const today = () => dayOf(now(), timezone)

  return {
    /** Opening one enables its plans that are on; if one cannot be enabled nothing changes, and each of them is named. */
    switch: (viewer: Viewer, { id, is_open }: Wanted): Promise<Switched> =>
      changeActivity(db, viewer, id, async (tx, row) => {
        const activity = { is_submitted: row.submitted_at !== null, is_open: row.is_open }
        const status = activityStatus(activity, row.last_day, today())
        const refusal = switchRefusal(status, is_open)
        if (refusal) throw new AppError('activityRefused', { reason: refusal }, { problems: [refusal] })
        const statusAfter = activityStatus({ ...activity, is_open }, row.last_day, today())
        if (row.is_open === is_open) return { id, is_open, status: statusAfter }
        if (is_open === 1) {
          const plans = (await editedPlans(tx, id)).filter((plan) => plan.is_open === 1 && !hasEnded(plan, today()))
          mustBeRight([
            ...activityFaults(plans, { isSubmitted: plans.length > 0, today: today() }),
            ...(await missingThings(tx, plans, { adv_id: row.adv_id, campaign_id: id, mustDeliver: () => true })),
          ])
        }
        const before = await snapshotOf(tx, id)
        await tx.updateTable('campaign').set({ is_open }).where('id', '=', id).execute()
        await keepUses(tx, id, timezone)
        const after = await snapshotOf(tx, id)
        await keepLog(tx, viewer, { campaign_id: id, op_type: is_open === 1 ? 5 : 0, before, after })
        await audit(tx, viewer, 'activity.switch', { id, is_open })
        return { id, is_open, status: statusAfter }
      }),

    async switchPlan(viewer: Viewer, { id, is_open }: z.output<typeof switchPlan.body>): Promise<Switched> {
      const owner = await db
        .selectFrom('campaign_plan')
        .innerJoin('campaign', 'campaign.id', 'campaign_plan.campaign_id')
        .select(['campaign.id', 'campaign.adv_id'])
        .where('campaign_plan.id', '=', id)
        .where('campaign_plan.deleted_at', 'is', null)
        .where('campaign.deleted_at', 'is', null)
        .executeTakeFirst()
      if (!owner || !viewer.isMember(owner.adv_id)) throw new AppError('notFound', { what: '计划' })
      return changeActivity(db, viewer, owner.id, async (tx, row) => {
        const plan = (await editedPlans(tx, row.id)).find((one) => one.id === id)
        if (!plan) throw new AppError('notFound', { what: '计划' })
        const activity = { is_submitted: row.submitted_at !== null, is_open: row.is_open }
        const refusal = planSwitchRefusal(planStatus(activity, plan, today()), is_open)
        if (refusal) throw new AppError('activityRefused', { reason: refusal }, { problems: [refusal] })
        const status = planStatus(activity, { ...plan, is_open }, today())
        if (plan.is_open === is_open) return { id, is_open, status }
        if (status === 1) {
          mustBeRight(
            await missingThings(tx, [plan], { adv_id: row.adv_id, campaign_id: row.id, mustDeliver: () => true }),
          )
        }
        const before = await snapshotOf(tx, row.id)
        await tx.updateTable('campaign_plan').set({ is_open }).where('id', '=', id).execute()
        // Somebody who has the activity open would save the switch as it was.
        await tx
          .updateTable('campaign')
          .set((eb) => ({ ver: eb('ver', '+', 1), saved_by: viewer.id, saved_at: now() }))
          .where('id', '=', row.id)
          .execute()
        await keepUses(tx, row.id, timezone)
        const after = await snapshotOf(tx, row.id)
        await keepLog(tx, viewer, { campaign_id: row.id, op_type: 0, before, after })
        await audit(tx, viewer, 'activity.switch_plan', { id, campaign_id: row.id, is_open })
        return { id, is_open, status }
      })
    },

    remove: (viewer: Viewer, id: number): Promise<void> =>
      changeActivity(db, viewer, id, async (tx) => {
        const before = await snapshotOf(tx, id)
        const at = now()
        await tx.updateTable('campaign').set({ deleted_at: at, is_open: 0 }).where('id', '=', id).execute()
        await tx
          .updateTable('campaign_plan')
          .set({ deleted_at: at })
          .where('campaign_id', '=', id)
          .where('deleted_at', 'is', null)
          .execute()
        await keepUses(tx, id, timezone)
        await keepLog(tx, viewer, { campaign_id: id, op_type: 3, before, after: null })
        await audit(tx, viewer, 'activity.delete', { id, name: before.name })
      }),
  }
}
