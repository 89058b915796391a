import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { z } from 'zod'
import type { setPlanOperator } from '#contract/activity-plan.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { PlatformCode } from '#contract/platform.ts'
import { AppError } from '../../../errors.ts'
import type { Viewer } from '../../../http/viewer.ts'
import { audit } from '../../../postgres/audit.ts'
import type { Database } from '../../../postgres/schema.ts'
import { transaction } from '../../../postgres/transaction.ts'
import type { ThereDeps } from './deps.ts'
import { endingOfChanges } from './end.ts'
import { carryPlans } from './job.ts'
import { planReading } from './reading.ts'
import { planWants } from './want.ts'

/** How long a person waits for the platforms, and how often it is looked. */
const WAIT_MS = 8000
const LOOK_MS = 100

/** Plans that exist on platforms: what is wanted of them is carried there, and what happens there is read. */
export function plansThere(deps: ThereDeps) {
  const { db, plansOf, secrets } = deps
  const wants = planWants(deps)
  const endChange = endingOfChanges(wants, deps.timezone)
  carryPlans(deps, endChange)
  const reading = planReading(deps, wants)

  const problemsOf = async (id: number): Promise<AnyOutcome[]> => {
    const rows = await db
      .selectFrom('campaign_plan_there as there')
      .innerJoin('campaign_plan as plan', 'plan.id', 'there.plan_id')
      .select(['plan.name', 'there.outcome'])
      .where('there.change_id', '=', id)
      .where('there.state', '=', 'waiting')
      .orderBy('plan.position')
      .execute()
    return rows.map(({ name, outcome: cause }) =>
      outcome('plan_fault', { plan: name, cause: cause ?? outcome('plan_still_syncing') }),
    )
  }

  return {
    wants,
    endChange,
    shown: reading.shown,
    readPlans: reading.ask,

    /** Waits for a change for some seconds. Throws what was refused; `problems`: why it is still under way. */
    async waitFor(id: number): Promise<{ isDone: boolean; problems: AnyOutcome[] }> {
      const end = performance.now() + WAIT_MS
      for (;;) {
        const { state, problems } = await db
          .selectFrom('campaign_change')
          .select(['state', 'problems'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        if (state === 'failed' && problems) {
          throw new AppError('activityRefused', { reason: outcome('activity_problems', { problems }) }, { problems })
        }
        if (state !== 'running') return { isDone: true, problems: [] }
        if (performance.now() > end) return { isDone: false, problems: await problemsOf(id) }
        await sleep(LOOK_MS)
      }
    },

    async setOperator(
      viewer: Viewer,
      { account_id, user_token }: z.output<typeof setPlanOperator.body>,
    ): Promise<void> {
      const account = await db
        .selectFrom('platform_account')
        .select(['adv_id', 'platform'])
        .where('id', '=', account_id)
        .executeTakeFirst()
      if (!account || !viewer.isMember(account.adv_id)) throw new AppError('notFound', { what: '平台账户' })
      if (!plansOf(account.platform as PlatformCode)?.needsOperator) {
        throw new AppError('badInput', { reason: outcome('plan_operator_unasked') })
      }
      const kept = { user_token: secrets.seal(user_token) }
      await transaction(db, async (tx) => {
        await tx
          .insertInto('plan_account')
          .values({ account_id, read_at: null, outcome: null, ...kept })
          .onConflict((oc) => oc.column('account_id').doUpdateSet(kept))
          .execute()
        await audit(tx, viewer, 'activity.operator', { account_id, adv_id: account.adv_id })
      })
    },

    /** A package restricts something else: plans that were created with it are given that. */
    async onRetargeted(tx: Transaction<Database>, package_id: number): Promise<void> {
      const plans = await tx
        .selectFrom('campaign_plan_there as there')
        .innerJoin('campaign_plan as plan', 'plan.id', 'there.plan_id')
        .select('there.plan_id')
        .where('plan.package_id', '=', package_id)
        .where('plan.deleted_at', 'is', null)
        .where('there.mark', 'is not', null)
        .where('there.there_id', 'is not', null)
        .execute()
      for (const { plan_id } of plans) await wants.want(tx, plan_id, { parts: ['targeting'] }, null)
    },

    /** The account can be used again: what waited for it goes on, and its plans are read. */
    async onAuthorised(tx: Transaction<Database>, account_id: number): Promise<void> {
      const there = await tx
        .selectFrom('campaign_plan_there')
        .select('plan_id')
        .where('account_id', '=', account_id)
        .limit(1)
        .executeTakeFirst()
      if (!there) return
      await tx
        .updateTable('campaign_plan_there')
        .set({ state: 'waiting', attempts: 0, outcome: null })
        .where('account_id', '=', account_id)
        .where('state', '=', 'paused')
        .execute()
      await wants.sendRun(tx, account_id)
      await wants.sendRead(tx, account_id)
    },
  }
}
export type PlansThere = ReturnType<typeof plansThere>
