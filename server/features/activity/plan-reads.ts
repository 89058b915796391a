import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Database } from '../../postgres/schema.ts'
import { takesUnnamed } from '../../postgres/takes-unnamed.ts'
import type { LinkedPlan } from './plan-sums.ts'

/** Plans of activities for a list, with the ids by which reports know them. */
export const planReads = (db: Kysely<Database>, ids: readonly number[]) =>
  db
    .selectFrom('campaign_plan as plan')
    .innerJoin('campaign', 'campaign.id', 'plan.campaign_id')
    .leftJoin('platform_account as account', 'account.id', 'plan.account_id')
    .select([
      'plan.id',
      'plan.campaign_id',
      'campaign.adv_id',
      'plan.name',
      'plan.platform',
      'plan.account_id',
      'account.name as account_name',
      'account.external_id',
      'plan.plan_id',
      'plan.budget_mode',
      'plan.budget',
      'plan.start_date',
      'plan.end_date',
      'plan.is_open',
    ])
    .select(sql<boolean>`plan.creation is not null`.as('is_created'))
    .select(takesUnnamed.as('takes_unnamed'))
    .where(sql<SqlBool>`plan.campaign_id = any(${[...ids]}::int[])`)
    .where('plan.deleted_at', 'is', null)
    .orderBy('plan.campaign_id')
    .orderBy('plan.position')
    .orderBy('plan.id')
    .execute()
export type PlanRead = Awaited<ReturnType<typeof planReads>>[number]

/** Those of them that reports know. */
export const linkedOf = (plans: readonly PlanRead[]): LinkedPlan[] =>
  plans.flatMap(({ id, adv_id, external_id, plan_id, takes_unnamed }) =>
    external_id === null || plan_id === null ? [] : [{ id, adv_id, external_id, plan_id, takes_unnamed }],
  )
