import { sql, type Transaction } from 'kysely'
import { type FaceThere, isSameBudget, type PlanPart, type PlatformPlan } from '#contract/activity/there.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { PlatformCode } from '#contract/platform.ts'
import { lockCrowds } from '../../../crowds/crowd-lock.ts'
import type { RunningJob } from '../../../jobs/kind.ts'
import { PlatformFault, type StepHooks } from '../../../platforms/audience-platform.ts'
import type { PlanSession, PlatformPlans } from '../../../platforms/plan-platform.ts'
import { secondsUntilRetry } from '../../../platforms/try-later.ts'
import type { Database } from '../../../postgres/schema.ts'
import { now } from '../../../time/clock.ts'
import type { ThereDeps } from './deps.ts'
import type { EndChange } from './end.ts'
import { planMaking } from './making.ts'
import { faceOf } from './row.ts'
import { isPlanNumber, planSession } from './session.ts'
import { RUN } from './want.ts'
import { planParts } from './wanted.ts'

/** Accounts whose plans are changed at once; most of the time they wait for an answer. */
const CONCURRENCY = 12
/** Consecutive failures of a plan after which it is given up. */
const FAILURES_MAX = 30

type Job = RunningJob<{ account_id: number }>

/** Brings what is wanted of an account's plans to its platform, one plan after the other. */
export function carryPlans(deps: ThereDeps, endChange: EndChange): void {
  const { db, jobs, plansOf, pace, timezone } = deps
  const make = planMaking(deps)

  /** One that keeps failing stands behind the others. */
  const nextOf = (account_id: number) =>
    db
      .selectFrom('campaign_plan_there as there')
      .innerJoin('campaign_plan as plan', 'plan.id', 'there.plan_id')
      .innerJoin('campaign', 'campaign.id', 'plan.campaign_id')
      .selectAll('there')
      .select('campaign.adv_id')
      .where('there.account_id', '=', account_id)
      .where('there.state', '=', 'waiting')
      .orderBy('there.attempts')
      .orderBy('there.plan_id')
      .limit(1)
      .executeTakeFirst()
  type Row = NonNullable<Awaited<ReturnType<typeof nextOf>>>

  /** Stores what became of a plan, unless something else is wanted of it by now. */
  async function settle(
    tx: Transaction<Database>,
    row: Row,
    became: { found: PlatformPlan | null; is_gone?: boolean } | { reason: AnyOutcome; state: 'failed' | 'paused' },
  ): Promise<void> {
    // The same order of locks as of a person's change, which an end may have to undo.
    await lockCrowds(tx, row.adv_id)
    const read = 'found' in became && {
      found: became.found && JSON.stringify(became.found),
      is_gone: became.is_gone ?? false,
      read_at: now(),
    }
    const current = await tx
      .selectFrom('campaign_plan_there')
      .select(['rev', 'change_id'])
      .where('plan_id', '=', row.plan_id)
      .where(sql<boolean>`there_id is not distinct from ${row.there_id}`)
      .executeTakeFirst()
    if (!current) return
    const isCurrent = current.rev === row.rev
    const done = {
      ...{ want_on: null, want_mode: null, want_budget: null, want_create: false, want_parts: '[]', attempts: 0 },
    }
    const refused = refusedOf(row)
    const agreed = 'found' in became ? agreedAfter(row, became.found) : null
    await tx
      .updateTable('campaign_plan_there')
      .set({
        ...read,
        ...(isCurrent && 'found' in became && { ...done, state: 'idle' as const, outcome: null, refused: null }),
        ...(isCurrent && agreed && { agreed: JSON.stringify(agreed) }),
        ...(isCurrent && 'reason' in became && { state: became.state, outcome: became.reason, attempts: 0 }),
        ...(isCurrent && 'reason' in became && became.state === 'failed' && { ...done, refused }),
      })
      .where('plan_id', '=', row.plan_id)
      .execute()
    if (isCurrent && current.change_id !== null) await endChange(tx, current.change_id)
  }

  /**
   * Makes a plan what is wanted. Each run reads it first: what an earlier one wrote before it was killed, or without an
   * answer, is not written again.
   */
  async function carry(job: Job, row: Row, plans: PlatformPlans, as: PlanSession): Promise<void> {
    const on: StepHooks = { signal: job.signal, sample: () => undefined }
    const { there_id } = row
    // Made, it is taken up again with its id.
    if (there_id === null) return make(job, row, plans, as, on)
    const readOne = async () =>
      isPlanNumber(there_id)
        ? (await plans.read(as, [there_id], on)).find((one) => one.plan_id === there_id)
        : undefined
    const there = await readOne()
    if (!there) throw new PlatformFault('gone', outcome('plan_gone_there'))
    const { want_on, want_mode, want_budget } = row
    if (want_on !== null && row.was_on === null) {
      await job.step((tx) =>
        tx
          .updateTable('campaign_plan_there')
          .set({ was_on: there.is_on ? 1 : 0, found: JSON.stringify(there), is_gone: false, read_at: now() })
          .where('plan_id', '=', row.plan_id)
          .where('rev', '=', row.rev)
          .execute(),
      )
    }
    const budget = want_mode && { mode: want_mode, fen: want_budget }
    const turn = async () => {
      if (want_on !== null && there.is_on !== (want_on === 1)) await plans.switch(as, there_id, want_on === 1, on)
    }
    const spend = async () => {
      if (budget === null || isSameBudget(budget, there.budget)) return
      // Its kind of budget is fixed with a plan whose platform has total budgets.
      if ([budget.mode, there.budget.mode].includes('total') && budget.mode !== there.budget.mode)
        throw new PlatformFault('refused', outcome('plan_budget_mode_fixed'))
      await plans.setBudget(as, there_id, budget, on)
    }
    const rewrite = async () => {
      if (row.want_parts.length === 0) return
      const saved = await planParts(db, row, timezone)
      const parts = Object.fromEntries(row.want_parts.map((part) => [part, saved[part]]))
      await plans.update(as, there_id, parts, on)
    }
    // Nothing is spent by an amount, nor for people, that are no longer meant.
    for (const act of want_on === 1 ? [spend, rewrite, turn] : [turn, spend, rewrite]) await act()
    const found = await readOne()
    if (!found) throw new PlatformFault('gone', outcome('plan_gone_there'))
    await job.step((tx) => settle(tx, row, { found }))
  }

  /** What can be asked for again of what was refused. A switch goes back instead, and a creation is asked for as a whole. */
  function refusedOf({ there_id, want_mode, want_budget, want_parts }: Row): string | null {
    if (there_id === null || (want_mode === null && want_parts.length === 0)) return null
    return JSON.stringify({ budget: want_mode && { mode: want_mode, fen: want_budget }, parts: want_parts })
  }

  /** How a plan of ours stands now that we wrote parts of it; what people changed of the others stays to be decided on. */
  function agreedAfter({ mark, agreed, want_parts }: Row, found: PlatformPlan | null): FaceThere | null {
    if (mark === null || found === null) return null
    if (agreed === null) return faceOf(found)
    const wrote = (...parts: readonly PlanPart[]) => parts.some((part) => want_parts.includes(part))
    const { name, days } = faceOf(found)
    return {
      name: wrote('title') ? name : agreed.name,
      ...((wrote('start', 'end') || agreed.days === undefined) && days
        ? { days }
        : agreed.days && { days: agreed.days }),
    }
  }

  /** Waits longer after each failure in a row; false when it has been too many. */
  async function tryLater(job: Job, row: Row, fault: PlatformFault): Promise<boolean> {
    const attempts = row.attempts + 1
    if (attempts > FAILURES_MAX) return false
    const seconds = secondsUntilRetry(fault, attempts, pace)
    const why = outcome('plan_tries_again', { at: now() + seconds, cause: fault.outcome })
    const keep = (tx: Transaction<Database>) =>
      tx
        .updateTable('campaign_plan_there')
        .set({ attempts, outcome: why })
        .where('plan_id', '=', row.plan_id)
        .where('rev', '=', row.rev)
        .execute()
    await job.wait(keep, seconds, why)
    return true
  }

  /** True where the job goes on with the next plan. */
  async function onFault(job: Job, row: Row, fault: PlatformFault): Promise<boolean> {
    const { kind } = fault
    // There is nothing to stop any more.
    if (kind === 'gone' && row.want_on === 0) {
      await job.step((tx) => settle(tx, row, { found: null, is_gone: true }))
      return true
    }
    if ((kind === 'later' || kind === 'notYet') && (await tryLater(job, row, fault))) return false
    // A change that a person waits for is undone; anything else goes on after a new authorisation.
    const state = kind === 'unauthorised' && row.change_id === null ? 'paused' : 'failed'
    const reason =
      kind === 'unauthorised'
        ? outcome(state === 'paused' ? 'plan_waits_for_authorisation' : 'plan_needs_authorisation', {
            cause: fault.outcome,
          })
        : fault.outcome
    await job.step(async (tx) => {
      if (kind === 'gone') {
        await tx
          .updateTable('campaign_plan_there')
          .set({ is_gone: true, found: null, read_at: now() })
          .where('plan_id', '=', row.plan_id)
          .execute()
      }
      await settle(tx, row, { reason, state })
    })
    return true
  }

  async function run(job: Job): Promise<void> {
    const { account_id } = job.data
    const account = await db
      .selectFrom('platform_account')
      .select('platform')
      .where('id', '=', account_id)
      .executeTakeFirst()
    const plans = account ? plansOf(account.platform as PlatformCode) : null
    if (!plans) return
    for (;;) {
      job.signal.throwIfAborted()
      const row = await nextOf(account_id)
      if (!row) return
      try {
        await carry(job, row, plans, await planSession(deps, account_id, plans))
      } catch (error) {
        if (job.signal.aborted || !(error instanceof PlatformFault)) throw error
        if (!(await onFault(job, row, error))) return
      }
    }
  }

  jobs.handle<{ account_id: number }>(
    RUN,
    {
      concurrency: CONCURRENCY,
      retries: 4,
      retryDelaySeconds: 5,
      async failed(tx, { data }, reason) {
        for (;;) {
          const row = await tx
            .selectFrom('campaign_plan_there as there')
            .innerJoin('campaign_plan as plan', 'plan.id', 'there.plan_id')
            .innerJoin('campaign', 'campaign.id', 'plan.campaign_id')
            .selectAll('there')
            .select('campaign.adv_id')
            .where('there.account_id', '=', data.account_id)
            .where('there.state', '=', 'waiting')
            .limit(1)
            .executeTakeFirst()
          if (!row) return
          await settle(tx, row, { reason, state: 'failed' })
        }
      },
    },
    run,
  )
}
