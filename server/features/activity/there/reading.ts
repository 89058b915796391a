import { isDeepStrictEqual } from 'node:util'
import type { Kysely, NotNull, Transaction } from 'kysely'
import { changesBetween } from '#contract/activity/changes.ts'
import type { PlatformPlan } from '#contract/activity/there.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { PlatformCode } from '#contract/platform.ts'
import { lockCrowds } from '../../../crowds/crowd-lock.ts'
import type { RunningJob } from '../../../jobs/kind.ts'
import { PlatformFault, type StepHooks } from '../../../platforms/audience-platform.ts'
import type { Database } from '../../../postgres/schema.ts'
import { transaction } from '../../../postgres/transaction.ts'
import { now } from '../../../time/clock.ts'
import { keepLog, snapshotOf } from '../log.ts'
import type { ThereDeps } from './deps.ts'
import { faceOf } from './row.ts'
import { isPlanNumber, planSession } from './session.ts'
import { type PlanWants, READ_ACCOUNT } from './want.ts'

const READ = 'activity.read'
/** Accounts read at once, and plans of one call. */
const CONCURRENCY = 6
const PLANS_MOST = 100
/** A list that is opened reads the platforms again after so many seconds. */
const FRESH_S = 60

/** Reads linked plans on their platforms: what was stopped, changed or deleted there. */
export function planReading(deps: ThereDeps, wants: PlanWants) {
  const { db, jobs, plansOf, timezone, pace } = deps
  const freshFor = Math.max(1, Math.ceil(FRESH_S * pace))

  jobs.handle(READ, { concurrency: 1, retries: 0 }, async ({ finish }) => {
    const accounts = await db
      .selectFrom('campaign_plan_there as there')
      .innerJoin('platform_account as account', 'account.id', 'there.account_id')
      .select('there.account_id')
      .distinct()
      .where('there.there_id', 'is not', null)
      .where('account.login_id', 'is not', null)
      .where('account.auth_error', 'is', null)
      .execute()
    const waiting = await db
      .selectFrom('campaign_plan_there')
      .select('account_id')
      .distinct()
      .where('state', '=', 'waiting')
      .execute()
    await finish(async (tx) => {
      for (const { account_id } of accounts) await wants.sendRead(tx, account_id)
      // The queue forgets a job that waits for two weeks.
      for (const { account_id } of waiting) await wants.sendRun(tx, account_id)
    })
  })
  jobs.schedule(READ, '*/15 * * * *', timezone)

  // An account each, so that a slow platform delays nobody else's.
  jobs.handle<{ account_id: number }>(
    READ_ACCOUNT,
    {
      concurrency: CONCURRENCY,
      retries: 0,
      failed: (tx, { data }, reason) => keepReading(tx, data.account_id, reason),
    },
    (job) => read(job, job.data.account_id),
  )

  const linked = (account_id: number) =>
    db
      .selectFrom('campaign_plan_there as there')
      .innerJoin('campaign_plan as plan', 'plan.id', 'there.plan_id')
      .innerJoin('campaign', 'campaign.id', 'plan.campaign_id')
      .select(['there.plan_id', 'there.there_id', 'there.rev', 'there.state', 'plan.campaign_id', 'campaign.adv_id'])
      .where('there.account_id', '=', account_id)
      .where('there.there_id', 'is not', null)
      .where('plan.deleted_at', 'is', null)
      .orderBy('there.plan_id')
      .$narrowType<{ there_id: NotNull }>()
      .execute()
  type Linked = Awaited<ReturnType<typeof linked>>[number]

  async function read(job: RunningJob<object>, account_id: number): Promise<void> {
    const account = await db
      .selectFrom('platform_account')
      .select('platform')
      .where('id', '=', account_id)
      .executeTakeFirst()
    const plans = account ? plansOf(account.platform as PlatformCode) : null
    if (!plans) return
    const on: StepHooks = { signal: job.signal, sample: () => undefined }
    try {
      const as = await planSession(deps, account_id, plans)
      const rows = await linked(account_id)
      for (let at = 0; at < rows.length; at += PLANS_MOST) {
        const some = rows.slice(at, at + PLANS_MOST)
        const ids = some.map(({ there_id }) => there_id).filter(isPlanNumber)
        const found = new Map((ids.length === 0 ? [] : await plans.read(as, ids, on)).map((one) => [one.plan_id, one]))
        for (const row of some) await keep(job, row, found.get(row.there_id) ?? null)
      }
      await keepReading(db, account_id, null)
    } catch (error) {
      if (job.signal.aborted || !(error instanceof PlatformFault)) throw error
      await keepReading(db, account_id, error.outcome)
    }
  }

  /** `outcome`: why the account's plans could not be read. */
  async function keepReading(on: Kysely<Database>, account_id: number, outcome: AnyOutcome | null): Promise<void> {
    const reading = { read_at: now(), outcome }
    await on
      .insertInto('plan_account')
      .values({ account_id, user_token: null, ...reading })
      .onConflict((oc) => oc.column('account_id').doUpdateSet(reading))
      .execute()
  }

  /** Stores what a plan is there; what changed since it was read last is logged. What is being changed waits. */
  const keep = (job: RunningJob<object>, row: Linked, found: PlatformPlan | null) =>
    job.step(async (tx) => {
      const { plan_id, campaign_id } = row
      await lockCrowds(tx, row.adv_id)
      const last = await tx
        .selectFrom('campaign_plan_there')
        .select(['found', 'is_gone', 'mark', 'agreed', 'state', 'refused'])
        .where('plan_id', '=', plan_id)
        .where('there_id', '=', row.there_id)
        .where('rev', '=', row.rev)
        // One that was changed since it was read is another by now.
        .where('state', '=', row.state)
        .where('state', '!=', 'waiting')
        .executeTakeFirst()
      if (!last) return
      const isNews = last.found !== null && !isDeepStrictEqual(last.found, found)
      const before = isNews ? await snapshotOf(tx, campaign_id) : null
      await tx
        .updateTable('campaign_plan_there')
        .set({ found: found && JSON.stringify(found), is_gone: found === null, read_at: now() })
        // A switch that was refused went back; how the plan stands now says all that is left of it.
        .$if(last.state === 'failed' && last.refused === null && found !== null, (update) =>
          update.set({ state: 'idle', outcome: null }),
        )
        // A plan of ours from before this was kept: what it is now counts as agreed.
        .$if(last.mark !== null && last.agreed === null && found !== null, (update) =>
          update.set({ agreed: JSON.stringify(faceOf(found as PlatformPlan)) }),
        )
        .where('plan_id', '=', plan_id)
        .execute()
      if (before) {
        const after = await snapshotOf(tx, campaign_id)
        if (changesBetween(before, after).length > 0)
          await keepLog(tx, null, { campaign_id, op_type: 0, before, after })
      }
    })

  return {
    /**
     * Reads the linked plans of these accounts now. Of an account whose plans are being read one more reading follows,
     * however often it is asked for: the one under way may have begun before what the asker wants to see.
     */
    async ask(tx: Transaction<Database>, account_ids: readonly number[]): Promise<void> {
      const rows = await tx
        .selectFrom('campaign_plan_there')
        .select('account_id')
        .distinct()
        .where('account_id', 'in', [0, ...account_ids])
        .where('there_id', 'is not', null)
        .orderBy('account_id')
        .execute()
      for (const { account_id } of rows) await wants.sendRead(tx, account_id)
    },

    /** The plans of activities are shown: those that were not read lately are read. True while some are. */
    async shown(campaign_ids: readonly number[]): Promise<boolean> {
      if (campaign_ids.length === 0) return false
      const stale = await db
        .selectFrom('campaign_plan_there as there')
        .innerJoin('campaign_plan as plan', 'plan.id', 'there.plan_id')
        .leftJoin('plan_account as account', 'account.account_id', 'there.account_id')
        .select('there.account_id')
        .distinct()
        .where('plan.campaign_id', 'in', [...campaign_ids])
        .where((eb) => eb.or([eb('account.read_at', 'is', null), eb('account.read_at', '<', now() - freshFor)]))
        .execute()
      if (stale.length === 0) return false
      await transaction(db, async (tx) => {
        for (const { account_id } of stale) await wants.sendRead(tx, account_id)
      })
      return true
    },
  }
}
