import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import { planSwitchRefusal, switchRefusal } from '#contract/activity/actions.ts'
import { activityFaults, type Plan } from '#contract/activity/plan.ts'
import { activityStatus, hasEnded, planStatus, type Switch } from '#contract/activity/status.ts'
import type { deleteActivity } from '#contract/activity.ts'
import type { switchActivity, switchPlan } from '#contract/activity-switch.ts'
import { outcome } from '#contract/outcome.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { dayOf } from '../../time/day.ts'
import { changeActivity, changePlan, editedPlans } from './activities.ts'
import type { ActivityDeps } from './deps.ts'
import { keepLog, snapshotOf } from './log.ts'
import { missingThings } from './plan-checks.ts'
import { removeActivity } from './remove.ts'
import { mustBeRight } from './save.ts'
import type { PlansThere } from './there/open.ts'
import { type ThereRow, thereOf } from './there/row.ts'
import type { Wanted as WantedThere } from './there/want.ts'
import { keepUses } from './uses.ts'

type Wanted = z.output<typeof switchActivity.body>
type Switched = z.output<typeof switchPlan.data>
type Switching = Omit<Switched, 'is_syncing'> & { change: number | null }
type Removed = z.output<typeof deleteActivity.data>
type StoredPlan = Plan & { id: number }

/** Switches and deletes activities, with their plans on the platforms. */
export function switchActivities({ db, timezone }: Pick<ActivityDeps, 'db' | 'timezone'>, there: PlansThere) {
  const { wants } = there
  const today = () => dayOf(now(), timezone)

  /** Answers once the platforms did, or after some seconds. */
  async function answered({ change, ...switched }: Switching): Promise<Switched> {
    if (change === null) return { ...switched, is_syncing: false }
    return { ...switched, is_syncing: !(await there.waitFor(change)).isDone }
  }

  /**
   * The linked plans that a switch reaches on their platforms. `isOn`: whether their activity is on, or becomes so. Off
   * reaches whatever may run there: an ended plan too, and one that was started on the platform itself.
   */
  async function reachedBy(
    tx: Transaction<Database>,
    plans: readonly StoredPlan[],
    { is_open, isOn }: { is_open: Switch; isOn: boolean },
  ): Promise<StoredPlan[]> {
    const linked = await wants.touched(tx, plans, is_open)
    const rows = await thereOf(
      tx,
      linked.map(({ id }) => id),
    )
    return linked.filter(
      (plan) =>
        (isOn && plan.is_open === 1 && !hasEnded(plan, today())) || (is_open === 0 && mayRun(plan, rows.get(plan.id))),
    )
  }

  return {
    /** Opening one enables its plans that are on; if one cannot be enabled nothing changes, and each of them is named. */
    switch: async (viewer: Viewer, { id, is_open }: Wanted): Promise<Switched> => {
      const switching = await changeActivity(db, viewer, id, async (tx, row): Promise<Switching> => {
        const activity = { is_submitted: row.submitted_at !== null, is_open: row.is_open }
        const status = activityStatus(activity, row.last_day, today())
        const refusal = switchRefusal(status, is_open)
        if (refusal) throw new AppError('activityRefused', { reason: refusal }, { problems: [refusal] })
        const statusAfter = activityStatus({ ...activity, is_open }, row.last_day, today())
        const isChange = row.is_open !== is_open
        const all = await editedPlans(tx, id)
        const reached = await reachedBy(tx, all, { is_open, isOn: isChange })
        if (!isChange && reached.length === 0) {
          return { id, is_open, status: statusAfter, change: await runningOf(tx, id) }
        }
        if (isChange) {
          const opened = all.filter((plan) => plan.is_open === 1 && !hasEnded(plan, today()))
          if (is_open === 1) {
            mustBeRight([
              ...activityFaults(opened, { isSubmitted: opened.length > 0, today: today() }),
              ...(await missingThings(tx, opened, { adv_id: row.adv_id, campaign_id: id, mustDeliver: () => true })),
            ])
          }
          const before = await snapshotOf(tx, id)
          await tx.updateTable('campaign').set({ is_open }).where('id', '=', id).execute()
          await keepUses(tx, id, timezone)
          const after = await snapshotOf(tx, id)
          await keepLog(tx, viewer, { campaign_id: id, op_type: is_open === 1 ? 5 : 0, before, after })
        } else await keepStop(tx, viewer, id, reached)
        await audit(tx, viewer, 'activity.switch', { id, is_open })
        if (reached.length === 0) return { id, is_open, status: statusAfter, change: null }
        const of = { campaign_id: id, plan_id: null, viewer_id: viewer.id }
        const change = await wants.begin(tx, { ...of, kind: 'activity', is_open, was_open: row.is_open })
        for (const plan of reached) {
          await wants.link(tx, plan)
          await wants.want(tx, plan.id, turned(plan, is_open), change)
        }
        return { id, is_open, status: statusAfter, change }
      })
      return answered(switching)
    },

    async switchPlan(viewer: Viewer, { id, is_open }: z.output<typeof switchPlan.body>): Promise<Switched> {
      const switching = await changePlan(db, viewer, id, async (tx, row, plan): Promise<Switching> => {
        const activity = { is_submitted: row.submitted_at !== null, is_open: row.is_open }
        const refusal = planSwitchRefusal(planStatus(activity, plan, today()), is_open)
        if (refusal) throw new AppError('activityRefused', { reason: refusal }, { problems: [refusal] })
        const status = planStatus(activity, { ...plan, is_open }, today())
        const isChange = plan.is_open !== is_open
        // A plan of a closed activity is switched on once that opens.
        const isOn = isChange && activity.is_submitted && row.is_open === 1
        const reached = await reachedBy(tx, [isChange ? { ...plan, is_open: 1 } : plan], { is_open, isOn })
        if (!isChange && reached.length === 0) return { id, is_open, status, change: await runningOf(tx, row.id) }
        if (isChange) {
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
        } else await keepStop(tx, viewer, row.id, reached)
        await audit(tx, viewer, 'activity.switch_plan', { id, campaign_id: row.id, is_open })
        if (reached.length === 0) return { id, is_open, status, change: null }
        const of = { campaign_id: row.id, plan_id: id, viewer_id: viewer.id }
        const change = await wants.begin(tx, { ...of, kind: 'plan', is_open, was_open: plan.is_open })
        await wants.link(tx, plan)
        await wants.want(tx, id, turned(plan, is_open), change)
        return { id, is_open, status, change }
      })
      return answered(switching)
    },

    /** `leaveRunning`: deletes it here at once, whatever its plans do on the platforms. */
    async remove(viewer: Viewer, id: number, leaveRunning: boolean): Promise<Removed> {
      const change = await changeActivity(db, viewer, id, async (tx, row) => {
        const plans = await wants.touched(tx, await editedPlans(tx, id), 0)
        if (leaveRunning || row.submitted_at === null || plans.length === 0) {
          await removeActivity(tx, viewer.id, id, timezone, now())
          return null
        }
        const of = { campaign_id: id, plan_id: null, viewer_id: viewer.id }
        const change = await wants.begin(tx, { ...of, kind: 'delete', is_open: 0, was_open: row.is_open })
        await tx.updateTable('campaign').set({ is_open: 0 }).where('id', '=', id).execute()
        await keepUses(tx, id, timezone)
        for (const plan of plans) {
          await wants.link(tx, plan)
          await wants.want(tx, plan.id, { is_on: 0, create: false }, change)
        }
        return change
      })
      if (change === null) return { is_deleted: true, problems: [] }
      const { isDone, problems } = await there.waitFor(change)
      // A newer change of the activity replaces its deletion.
      if (isDone && !(await isDeleted(db, id))) {
        const reason = outcome('activity_deletion_replaced')
        throw new AppError('activityRefused', { reason }, { problems: [reason] })
      }
      return { is_deleted: isDone, problems }
    },
  }
}

async function isDeleted(db: Kysely<Database>, id: number): Promise<boolean> {
  const row = await db.selectFrom('campaign').select('deleted_at').where('id', '=', id).executeTakeFirst()
  return row?.deleted_at != null
}

/** Whether a linked plan may go on running on its platform, whatever it is to do here. */
function mayRun({ is_open }: Plan, there: ThereRow | undefined): boolean {
  if (!there || there.is_gone) return false
  if (there.want_on !== null) return there.want_on === 1
  return there.found?.is_on ?? is_open === 1
}

/** Logs that plans are stopped on their platforms, where no switch here changes. */
async function keepStop(
  tx: Transaction<Database>,
  viewer: Viewer,
  campaign_id: number,
  stopped: readonly { id: number }[],
): Promise<void> {
  const before = await snapshotOf(tx, campaign_id)
  const ids = new Set(stopped.map(({ id }) => id))
  const plans = before.plans.map((plan) =>
    ids.has(plan.id) && plan.there && plan.there !== 'gone'
      ? { ...plan, there: { ...plan.there, is_on: false } }
      : plan,
  )
  await keepLog(tx, viewer, { campaign_id, op_type: 0, before, after: { ...before, plans } })
}
/** A plan's switch as it is carried: opening one that could not be created asks for it again. */
const turned = ({ plan_id }: { plan_id: string | null }, is_on: Switch): WantedThere => ({
  is_on,
  ...(is_on === 1 && plan_id === null && { create: true }),
})

/** What is still being carried of an activity: who asks for it twice waits for the same. */
async function runningOf(tx: Transaction<Database>, campaign_id: number): Promise<number | null> {
  const found = await tx
    .selectFrom('campaign_change')
    .select('id')
    .where('campaign_id', '=', campaign_id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return found?.id ?? null
}
