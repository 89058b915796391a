import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a plan (`plan`, of `campaign`) has the rows of reports that name no account: of the advertiser's plans with its
 * number, the first has them.
 */
export const takesUnnamed: RawBuilder<boolean> = sql<boolean>`plan.plan_id is not null and not exists (
  select from campaign_plan as other
  join campaign as theirs on theirs.id = other.campaign_id
  where other.plan_id = plan.plan_id and other.id < plan.id and other.plan_id is not null
    and other.deleted_at is null and theirs.adv_id = campaign.adv_id)`
