import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Database } from '../../postgres/schema.ts'
import { dayAfter, WEEKLY_DEPTH } from './days.ts'

/** Plans of activities that name a plan of the platform, with their accounts. */
export const linkedPlans = (db: Kysely<Database>) =>
  db
    .selectFrom('campaign_plan as plan')
    .innerJoin('campaign', 'campaign.id', 'plan.campaign_id')
    .innerJoin('platform_account as account', 'account.id', 'plan.account_id')
    .where('plan.plan_id', 'is not', null)
    .where('plan.deleted_at', 'is', null)
    .where('campaign.deleted_at', 'is', null)

/** Whether an activity's accounts are read daily: it wishes so, and its reports can still change. */
const isAuto = (today: string) => sql<SqlBool>`campaign.auto_sync = 1
  and coalesce(campaign.last_day, '9999') >= ${dayAfter(today, -WEEKLY_DEPTH)}`

/** The accounts that are read daily. */
export async function autoAccounts(db: Kysely<Database>, today: string): Promise<number[]> {
  const rows = await linkedPlans(db)
    .select('account.id')
    .distinct()
    .where('account.login_id', 'is not', null)
    .where(isAuto(today))
    .orderBy('account.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Linked accounts, each with whether it is read daily. */
export const accountsOfPlans = (db: Kysely<Database>, today: string) =>
  linkedPlans(db)
    .select(['account.id', 'account.adv_id', 'account.name', 'account.platform'])
    .select(sql<boolean>`bool_or(${isAuto(today)})`.as('is_auto'))
    .groupBy('account.id')
    .orderBy('account.id')

/** Activities whose accounts are read daily. */
export const autoActivities = (db: Kysely<Database>, today: string) =>
  linkedPlans(db)
    .select(['campaign.id', 'campaign.adv_id', 'campaign.name'])
    .distinct()
    .where('account.login_id', 'is not', null)
    .where(isAuto(today))
    .orderBy('campaign.id')
    .execute()
