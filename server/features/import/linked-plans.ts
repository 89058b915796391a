import type { Kysely } from 'kysely'
import type { LinkedPlan } from '../../ingest/load-types.ts'
import type { Database } from '../../postgres/schema.ts'

/** The plans of an advertiser's activities that reports can be of. */
export const linkedPlans = (db: Kysely<Database>, adv_id: number): Promise<LinkedPlan[]> =>
  db
    .selectFrom('campaign_plan as plan')
    .innerJoin('campaign', 'campaign.id', 'plan.campaign_id')
    .innerJoin('platform_account as account', 'account.id', 'plan.account_id')
    .select(['account.external_id as account_id', 'plan.plan_id'])
    .where('campaign.adv_id', '=', adv_id)
    .where('plan.deleted_at', 'is', null)
    .where('plan.plan_id', 'is not', null)
    .$narrowType<{ plan_id: string }>()
    .execute()
