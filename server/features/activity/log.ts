import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { seesPlanAmounts } from '#contract/activity/budget.ts'
import { changesBetween, type Snapshot } from '#contract/activity/changes.ts'
import type { listActivityLog, OperationType } from '#contract/activity-log.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { crowdsOfPlans, mustHaveBeen, planOf, plansOf, type StoredPlan } from './activities.ts'
import { foreignChange, type ThereRow, thereOf } from './there/row.ts'

/** Stands in the log for who did what was read on a platform. */
const PLATFORM_SAID = '平台'

/** An activity as it is now, with the names of what it uses. */
export async function snapshotOf(tx: Kysely<Database>, campaign_id: number): Promise<Snapshot> {
  const campaign = await tx
    .selectFrom('campaign')
    .leftJoin('campaign_product as product', 'product.id', 'campaign.product_id')
    .select(['campaign.name', 'campaign.is_open', 'campaign.auto_sync', 'product.name as product'])
    .where('campaign.id', '=', campaign_id)
    .executeTakeFirstOrThrow()
  const plans = await plansOf(tx, [campaign_id])
  const crowds = await crowdsOfPlans(
    tx,
    plans.map(({ id }) => id),
  )
  const named = await namesOf(tx, campaign_id)
  const there = await thereOf(
    tx,
    plans.map(({ id }) => id),
  )
  return {
    ...campaign,
    plans: plans.map((row) => ({
      ...planOf(row, crowds),
      account: named.get(row.id)?.account ?? null,
      package: named.get(row.id)?.package ?? null,
      crowds: crowds.filter(({ plan_id }) => plan_id === row.id).map(({ id, role, name }) => ({ id, role, name })),
      ...thereIn(row, there.get(row.id)),
    })),
  }
}

/** What a snapshot says of a plan on its platform. */
function thereIn(plan: StoredPlan, row: ThereRow | undefined): Pick<Snapshot['plans'][number], 'there'> {
  if (!row) return {}
  const { found, is_gone } = row
  return {
    there: is_gone ? 'gone' : found && { is_on: found.is_on, budget: found.budget, ...foreignChange(plan, row) },
  }
}

/** The names of the accounts and packages of an activity's plans, by plan. */
export async function namesOf(db: Kysely<Database>, campaign_id: number) {
  const rows = await db
    .selectFrom('campaign_plan as plan')
    .leftJoin('platform_account as account', 'account.id', 'plan.account_id')
    .leftJoin('targeting_package as own', 'own.id', 'plan.package_id')
    .select(['plan.id', 'account.name as account', 'own.name as package'])
    .where('plan.campaign_id', '=', campaign_id)
    .execute()
  return new Map(rows.map(({ id, ...names }) => [id, names]))
}

/** Writes one line of an activity's log; without a viewer it tells what changed on a platform. */
export async function keepLog(
  tx: Kysely<Database>,
  viewer: { id: number } | null,
  { campaign_id, op_type, before, after }: Entry,
): Promise<void> {
  await tx
    .insertInto('campaign_log')
    .values({
      campaign_id,
      op_type,
      viewer_id: viewer?.id ?? null,
      at: now(),
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
    })
    .execute()
}
interface Entry {
  campaign_id: number
  op_type: OperationType
  before: Snapshot | null
  after: Snapshot | null
}

/** An activity's log, the latest first; also of a deleted one. */
export async function listLog(
  db: Kysely<Database>,
  viewer: Viewer,
  { campaign_id, page, page_size }: z.output<typeof listActivityLog.query>,
): Promise<z.output<typeof listActivityLog.data>> {
  const { adv_id } = await mustHaveBeen(db, viewer, campaign_id)
  const seen = { seesAmounts: seesPlanAmounts(viewer, adv_id) }
  const all = db.selectFrom('campaign_log as log').where('log.campaign_id', '=', campaign_id)
  const { total } = await all.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .leftJoin('viewer', 'viewer.id', 'log.viewer_id')
    .select(['log.id', 'log.op_type', 'log.at as op_at', 'log.before', 'log.after'])
    .select(sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username, ${PLATFORM_SAID})`.as('op_by'))
    .orderBy('log.id', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return {
    list: rows.map(({ before, after, ...row }) => ({ ...row, changes: changesBetween(before, after, seen) })),
    total,
  }
}
