import { isDeepStrictEqual } from 'node:util'
import type { Selectable, Transaction } from 'kysely'
import { isSameBudget, PLAN_PARTS, type PlanPart, type WantedPlan } from '#contract/activity/there.ts'
import { outcome } from '#contract/outcome.ts'
import { lockCrowds } from '../../../crowds/crowd-lock.ts'
import type { RunningJob } from '../../../jobs/kind.ts'
import { PlatformFault, type StepHooks } from '../../../platforms/audience-platform.ts'
import type { PlanCreating, PlanSession, PlatformPlans } from '../../../platforms/plan-platform.ts'
import type { Database } from '../../../postgres/schema.ts'
import type { PlanThereTable } from '../../../postgres/schema-activity.ts'
import { now } from '../../../time/clock.ts'
import { keepLog, snapshotOf } from '../log.ts'
import type { ThereDeps } from './deps.ts'
import { wantedPlan } from './wanted.ts'

type Job = RunningJob<{ account_id: number }>
type Row = Selectable<PlanThereTable> & { adv_id: number }

/**
 * Creates plans on their platform, each once. What is about to be sent is stored first; a run that finds it stored looks
 * on the platform for what an earlier run created before it was killed, or without an answer.
 */
export function planMaking({ db, timezone, pace }: Pick<ThereDeps, 'db' | 'timezone' | 'pace'>) {
  const nameOf = ({ plan_id, mark }: Row) => ({ plan_id, mark })

  /** Stores what will be sent, as the plan is saved now. */
  const freeze = (job: Job, row: Row): Promise<WantedPlan> =>
    job.step(async (tx) => {
      const wanted = await wantedPlan(tx, nameOf(row), timezone)
      await keep(tx, row, JSON.stringify({ at: now(), wanted }))
      return wanted
    })
  const forget = (job: Job, row: Row) => job.step((tx) => keep(tx, row, null))
  const keep = (tx: Transaction<Database>, { plan_id }: Row, making: string | null) =>
    tx
      .updateTable('campaign_plan_there')
      .set({ making })
      .where('plan_id', '=', plan_id)
      .where('there_id', 'is', null)
      .execute()

  /** The plan is there: it is linked, and what was changed of it meanwhile is carried next. */
  const keepMade = (job: Job, row: Row, there_id: string, wanted: WantedPlan) =>
    job.step(async (tx) => {
      await lockCrowds(tx, row.adv_id)
      const current = await tx
        .selectFrom('campaign_plan_there')
        .selectAll()
        .where('plan_id', '=', row.plan_id)
        .where('there_id', 'is', null)
        .executeTakeFirst()
      // Its activity was deleted without waiting for it.
      if (!current) return
      await mustBeFree(tx, row, there_id)
      const plan = await tx
        .selectFrom('campaign_plan')
        .select(['campaign_id', 'deleted_at'])
        .where('id', '=', row.plan_id)
        .executeTakeFirstOrThrow()
      const before = plan.deleted_at === null ? await snapshotOf(tx, plan.campaign_id) : null
      const late = current.want_create ? await changedSince(tx, row, wanted) : { parts: [], budget: null }
      await tx.updateTable('campaign_plan').set({ plan_id: there_id }).where('id', '=', row.plan_id).execute()
      await tx
        .updateTable('campaign_plan_there')
        .set({
          ...{ there_id, making: null, want_create: false, attempts: 0, outcome: null },
          // What a change that fails restores: nothing is to run that did not before.
          was_on: 0,
          want_on: current.want_on ?? 0,
          want_parts: JSON.stringify(late.parts),
          ...(late.budget && { want_mode: late.budget.mode, want_budget: late.budget.fen }),
        })
        .where('plan_id', '=', row.plan_id)
        .execute()
      if (before) {
        const after = await snapshotOf(tx, plan.campaign_id)
        await keepLog(tx, null, { campaign_id: plan.campaign_id, op_type: 0, before, after })
      }
    })

  /** What was saved of a plan since its creation was sent. */
  async function changedSince(tx: Transaction<Database>, row: Row, sent: WantedPlan) {
    try {
      const saved = await wantedPlan(tx, nameOf(row), timezone)
      const parts: PlanPart[] = PLAN_PARTS.filter((part) => !isDeepStrictEqual(saved[part], sent[part]))
      return { parts, budget: isSameBudget(saved.budget, sent.budget) ? null : saved.budget }
    } catch (error) {
      if (!(error instanceof PlatformFault)) throw error
      // Its package changes: all is written again. What it uses is gone: it stays as it was sent.
      return { parts: error.kind === 'later' ? [...PLAN_PARTS] : [], budget: null }
    }
  }

  /** Makes the plan, or finds the one that is there although the platform refuses to make it. */
  async function makeOrFind(create: PlanCreating, as: PlanSession, wanted: WantedPlan, on: StepHooks): Promise<string> {
    try {
      return await create.make(as, wanted, on)
    } catch (error) {
      // Its name is ours alone: whoever has it is the plan itself, which an earlier call made.
      const isRefused = error instanceof PlatformFault && !error.isUncertain
      if (!isRefused || !['nameTaken', 'refused', 'configuration'].includes(error.kind)) throw error
      const found = await create.find(as, wanted, on)
      if (found === null) throw error
      return found
    }
  }

  /** Brings a plan that is not there yet to its platform. Throws PlatformFault. */
  return async function make(job: Job, row: Row, plans: PlatformPlans, as: PlanSession, on: StepHooks): Promise<void> {
    const { create } = plans
    if (row.making !== null && create !== null) {
      const { at, wanted } = row.making
      const found = await create.find(as, wanted, on)
      if (found !== null) {
        await keepMade(job, row, found, wanted)
        return
      }
      if (now() < at + create.listedWithin * pace) {
        throw new PlatformFault('later', outcome('plan_creation_unsure'), { retryAfter: create.listedWithin })
      }
    }
    if (!row.want_create) throw new PlatformFault('gone', outcome('plan_gone_there'))
    if (create === null) {
      const { platform } = await db
        .selectFrom('campaign_plan')
        .select('platform')
        .where('id', '=', row.plan_id)
        .executeTakeFirstOrThrow()
      throw new PlatformFault('refused', outcome('plan_creation_off', { platform }))
    }
    const wanted = await freeze(job, row)
    let there_id: string
    try {
      there_id = await makeOrFind(create, as, wanted, on)
    } catch (error) {
      if (error instanceof PlatformFault && !error.isUncertain) await forget(job, row)
      throw error
    }
    await keepMade(job, row, there_id, wanted)
  }
}

/** Refuses a plan of the platform that somebody linked before it was known to be the one that was created. */
async function mustBeFree(tx: Transaction<Database>, row: Row, there_id: string): Promise<void> {
  const other = await tx
    .selectFrom('campaign_plan as plan')
    .innerJoin('campaign', 'campaign.id', 'plan.campaign_id')
    .select('campaign.name')
    .where('plan.account_id', '=', row.account_id)
    .where('plan.plan_id', '=', there_id)
    .where('plan.id', '!=', row.plan_id)
    .where('plan.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!other) return
  throw new PlatformFault('refused', outcome('plan_linked_elsewhere', { plan_id: there_id, activity: other.name }))
}
