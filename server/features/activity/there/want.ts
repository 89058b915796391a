import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { BudgetMode } from '#contract/activity/budget.ts'
import type { PlanCreation } from '#contract/activity/creation.ts'
import type { Switch } from '#contract/activity/status.ts'
import { PLAN_PARTS, type PlanPart } from '#contract/activity/there.ts'
import type { PlatformCode } from '#contract/platform.ts'
import type { Database } from '../../../postgres/schema.ts'
import type { CampaignChangeTable } from '../../../postgres/schema-activity.ts'
import { now } from '../../../time/clock.ts'
import type { ThereDeps } from './deps.ts'

export const RUN = 'activity.plans'
export const READ_ACCOUNT = 'activity.read-plans'

/** A plan that names one of its platform, or is to be created there. */
export interface Linked {
  id: number
  platform: PlatformCode
  account_id: number | null
  plan_id: string | null
  creation: PlanCreation | null
}
export interface Wanted {
  is_on?: Switch
  budget?: { mode: BudgetMode; fen: number | null }
  parts?: readonly PlanPart[]
  /** Of a plan that is not created yet: whether it is to be, or only looked for and stopped. */
  create?: boolean
}

/** Tells names on a platform apart that we gave: 8 digits and letters. */
const newMark = (): string => randomBytes(5).toString('hex').slice(0, 8)

/** Keeps what plans are to become on their platforms, and asks for it to be carried there. */
export function planWants({ jobs, plansOf }: Pick<ThereDeps, 'jobs' | 'plansOf'>) {
  /** One job for each account, so that a slow one delays no other; a job that waits longer starts now. */
  const sendRun = (tx: Transaction<Database>, account_id: number) =>
    jobs.send(tx, RUN, { account_id }, { singletonKey: `account:${account_id}`, atOnce: true })
  const sendRead = (tx: Transaction<Database>, account_id: number) =>
    jobs.send(tx, READ_ACCOUNT, { account_id }, { singletonKey: `account:${account_id}` })

  return {
    sendRun,
    sendRead,

    creates: (platform: PlatformCode): boolean => (plansOf(platform)?.create ?? null) !== null,
    /** Whether the platform takes no change without the operator's token. */
    needsOperator: (platform: PlatformCode): boolean => plansOf(platform)?.needsOperator ?? false,
    /** Whether a plan's first day stays what it was created with. */
    startIsFixed: (platform: PlatformCode): boolean => plansOf(platform)?.startIsFixed ?? false,

    /** Whether a plan stands on a platform that we can talk to about plans, or is to be created there. */
    isThere: ({ platform, account_id, plan_id, creation }: Linked): boolean => {
      const plans = plansOf(platform)
      if (account_id === null || plans === null) return false
      return plan_id !== null || (creation !== null && plans.create !== null)
    },

    /** Of plans, those that a switch is carried to: one that was never created needs no stopping. */
    async touched<P extends Linked>(tx: Transaction<Database>, plans: readonly P[], is_on: Switch): Promise<P[]> {
      const there = plans.filter((plan) => this.isThere(plan))
      const begun = await tx
        .selectFrom('campaign_plan_there')
        .select('plan_id')
        .where('plan_id', 'in', [0, ...there.map(({ id }) => id)])
        .where((eb) => eb.or([eb('state', '=', 'waiting'), eb('making', 'is not', null)]))
        .execute()
      return there.filter(
        ({ id, plan_id }) => is_on === 1 || plan_id !== null || begun.some((one) => one.plan_id === id),
      )
    },

    /** What is kept of a plan on its platform. */
    standing: (tx: Transaction<Database>, plan_id: number) =>
      tx.selectFrom('campaign_plan_there').selectAll().where('plan_id', '=', plan_id).executeTakeFirst(),

    /** A plan names this one of its platform from now on, or is created there. True if it was not so before. */
    async link(tx: Transaction<Database>, plan: Linked): Promise<boolean> {
      const { id, account_id, plan_id } = plan
      const before = await this.standing(tx, id)
      if (!this.isThere(plan) || account_id === null) {
        if (before) await tx.deleteFrom('campaign_plan_there').where('plan_id', '=', id).execute()
        return false
      }
      if (before?.there_id === plan_id && before.account_id === account_id) return false
      if (before) await tx.deleteFrom('campaign_plan_there').where('plan_id', '=', id).execute()
      const mark = plan_id === null ? newMark() : null
      await tx.insertInto('campaign_plan_there').values({ plan_id: id, account_id, there_id: plan_id, mark }).execute()
      if (plan_id !== null) await sendRead(tx, account_id)
      return true
    },

    /** Replaces what was wanted of it before, where the two are about the same. */
    async want(tx: Transaction<Database>, plan_id: number, wanted: Wanted, change_id: number | null) {
      const { is_on, budget, parts = [], create } = wanted
      const waiting = (await this.standing(tx, plan_id))?.want_parts ?? []
      const all = PLAN_PARTS.filter((part) => parts.includes(part) || waiting.includes(part))
      const { account_id } = await tx
        .updateTable('campaign_plan_there')
        .set((eb) => ({
          state: 'waiting',
          ...(is_on === undefined ? {} : { want_on: is_on }),
          ...(budget && { want_mode: budget.mode, want_budget: budget.fen }),
          want_parts: JSON.stringify(all),
          ...(create !== undefined && { want_create: create }),
          ...(is_on === undefined ? {} : { change_id, was_on: null }),
          rev: eb('rev', '+', 1),
          attempts: 0,
          outcome: null,
        }))
        .where('plan_id', '=', plan_id)
        .returning('account_id')
        .executeTakeFirstOrThrow()
      await sendRun(tx, account_id)
    },

    /** Begins a change of an activity; one that is still under way is replaced by it. */
    async begin(
      tx: Transaction<Database>,
      change: Pick<CampaignChangeTable, 'campaign_id' | 'kind' | 'plan_id' | 'is_open' | 'was_open' | 'viewer_id'>,
    ): Promise<number> {
      const replaced = await tx
        .updateTable('campaign_change')
        .set({ state: 'replaced' })
        .where('campaign_id', '=', change.campaign_id)
        .where('state', '=', 'running')
        .returning('id')
        .execute()
      await tx
        .updateTable('campaign_plan_there')
        .set({ change_id: null })
        .where('change_id', 'in', [0, ...replaced.map(({ id }) => id)])
        .execute()
      const { id } = await tx
        .insertInto('campaign_change')
        .values({ ...change, at: now() })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
  }
}
export type PlanWants = ReturnType<typeof planWants>
