import { type Kysely, sql, type Transaction } from 'kysely'
import type { Plan } from '#contract/activity/plan.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'

/** The viewer's activity with this id. */
export async function mustFindActivity(db: Kysely<Database>, viewer: Viewer, id: number) {
  const row = await mustHaveBeen(db, viewer, id)
  if (row.deleted_at !== null) throw notFound()
  return row
}

/** The same of an activity that may have been deleted. */
export async function mustHaveBeen(db: Kysely<Database>, viewer: Viewer, id: number) {
  const row = await db.selectFrom('campaign').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !viewer.isMember(row.adv_id)) throw notFound()
  return row
}

const notFound = () => new AppError('notFound', { what: '活动' })

export type StoredActivity = Awaited<ReturnType<typeof mustFindActivity>>

/** The plans of activities, in their order. */
export const plansOf = (db: Kysely<Database>, ids: readonly number[]) =>
  db
    .selectFrom('campaign_plan')
    .selectAll()
    .where('campaign_id', 'in', [0, ...ids])
    .where('deleted_at', 'is', null)
    .orderBy('campaign_id')
    .orderBy('position')
    .orderBy('id')
    .execute()
export type StoredPlan = Awaited<ReturnType<typeof plansOf>>[number]

/** Crowds of plans with their names, and whether they can deliver. */
export const crowdsOfPlans = (db: Kysely<Database>, ids: readonly number[]) =>
  db
    .selectFrom('campaign_plan_crowd as used')
    .innerJoin('audience', 'audience.id', 'used.child_id')
    .select(['used.plan_id', 'used.child_id as id', 'used.role', 'audience.name'])
    .select(isUsable.as('is_usable'))
    .where('used.plan_id', 'in', [0, ...ids])
    .orderBy('used.plan_id')
    .orderBy('used.role', 'desc')
    .orderBy('used.child_id')
    .execute()

/** Whether an audience can deliver now: it is there, and its platform made it. */
export const isUsable = sql<boolean>`(audience.deleted_at is null and audience.audience_id is not null
  and audience.status = 'available')`

/** A stored plan as it is edited. */
export const planOf = (row: StoredPlan, crowds: Awaited<ReturnType<typeof crowdsOfPlans>>): Plan & { id: number } => {
  const { id, name, platform, account_id, plan_id, package_id, budget_mode, budget, start_date, end_date } = row
  return {
    ...{ id, name, platform, account_id, plan_id, package_id, budget_mode, budget, start_date, end_date },
    creation: row.creation,
    hours: row.hours,
    is_open: row.is_open,
    crowds: crowds.filter((crowd) => crowd.plan_id === id).map((crowd) => ({ id: crowd.id, role: crowd.role })),
  }
}

/** Stored plans as they are edited. */
export async function editedPlans(db: Kysely<Database>, campaign_id: number): Promise<(Plan & { id: number })[]> {
  const rows = await plansOf(db, [campaign_id])
  const crowds = await crowdsOfPlans(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => planOf(row, crowds))
}

/**
 * Runs a change of an advertiser's activities; they run one after the other. Crowds of the advertiser, and packages of
 * the accounts, neither change nor go meanwhile: a plan that becomes enabled would use what is being deleted.
 */
export const changeOf = <T>(
  db: Kysely<Database>,
  adv_id: number,
  account_ids: readonly (number | null)[],
  work: (tx: Transaction<Database>) => Promise<T>,
): Promise<T> =>
  transaction(db, async (tx) => {
    await lockCrowds(tx, adv_id)
    await tx
      .selectFrom('platform_account')
      .select('id')
      .where('adv_id', '=', adv_id)
      .where('id', 'in', [0, ...account_ids.filter((id) => id !== null)])
      .orderBy('id')
      .forUpdate()
      .execute()
    return work(tx)
  })

/** Runs a change of an activity, which is read again once no other change of its advertiser's runs. */
export async function changeActivity<T>(
  db: Kysely<Database>,
  viewer: Viewer,
  id: number,
  work: (tx: Transaction<Database>, row: StoredActivity) => Promise<T>,
  accounts: readonly (number | null)[] = [],
): Promise<T> {
  const { adv_id } = await mustFindActivity(db, viewer, id)
  const plans = await plansOf(db, [id])
  return changeOf(db, adv_id, [...accounts, ...plans.map(({ account_id }) => account_id)], async (tx) =>
    work(tx, await mustFindActivity(tx, viewer, id)),
  )
}

/** The same of an activity by one of its plans. */
export async function changePlan<T>(
  db: Kysely<Database>,
  viewer: Viewer,
  id: number,
  work: (tx: Transaction<Database>, row: StoredActivity, plan: Plan & { id: number }) => Promise<T>,
): Promise<T> {
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
    return work(tx, row, plan)
  })
}
