import { createHash } from 'node:crypto'
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { totalActivities } from '#contract/activity-list.ts'
import type { Viewer } from '../../http/viewer.ts'
import { likePattern, textHolds } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'
import type { PlanSet } from '../../reports/kept-sums.ts'

export type Filters = Omit<z.output<typeof totalActivities.query>, 'time_range' | 'adv_id'>

/** Whether a row of `campaign` is of these advertisers and what the filters ask for. */
export function isFiltered(
  viewer: Viewer,
  adv_ids: readonly number[],
  asked: Filters,
  today: string,
): RawBuilder<SqlBool> {
  const holds = [sql<SqlBool>`campaign.deleted_at is null`, sql<SqlBool>`campaign.adv_id = any(${[...adv_ids]}::int[])`]
  if (asked.name) {
    holds.push(sql`(${textHolds(viewer, sql.ref('campaign.name'), asked.name)} or exists (
      select from campaign_plan where campaign_id = campaign.id and campaign_plan.deleted_at is null
        and ${textHolds(viewer, sql.ref('campaign_plan.name'), asked.name)}))`)
  }
  if (asked.create_by?.length) holds.push(sql`campaign.creator_id = any(${asked.create_by}::int[])`)
  if (asked.creator) {
    const like = likePattern(asked.creator)
    holds.push(
      sql`campaign.creator_id in (select id from viewer where realname ilike ${like} or username ilike ${like})`,
    )
  }
  if (asked.status?.length) holds.push(sql`${statusSql(today)} = any(${asked.status}::int[])`)
  if (asked.id?.length) holds.push(sql`campaign.id = any(${asked.id}::int[])`)
  return sql<SqlBool>`(${sql.join(holds, sql` and `)})`
}

/** `activityStatus` as SQL. */
const statusSql = (today: string) => sql<number>`case
  when campaign.submitted_at is null then 0
  when campaign.last_day < ${today} then 3
  when campaign.is_open = 1 then 1
  else 2 end`

/** What the activities of an advertiser that a filter finds have together. */
export interface FilteredWhole {
  adv_id: number
  ids: number[]
  plans: number
  /** Those of all plans with a limit, as of one plan for each mode; fen. */
  budgets: { budget_mode: 'day' | 'total'; budget: number | null }[]
  /** The plans by which reports know them. */
  linked: PlanSet
}

/** Separate the names of a text, and the parts of a name (`planName`). */
const BETWEEN_NAMES = '\f'
const IN_NAME = '\n'

/**
 * The activities and plans of a filter as few numbers and texts, since rows of 20,000 plans alone take as long to read as
 * all else. A plan also has the rows that name no account if it is the first with its number (`takes_unnamed`).
 */
const wholesSql = (adv_ids: readonly number[], isFound: RawBuilder<SqlBool>, names: 'named' | 'hashed') => sql<{
  adv_id: number
  ids: string
  plans: number
  day_budget: number | null
  total_budget: number | null
  names: string
}>`with found as materialized (
    select campaign.id, campaign.adv_id from campaign where ${isFound}),
  shared as materialized (
    select theirs.adv_id, other.plan_id, min(other.id) as first
    from campaign_plan as other join campaign as theirs on theirs.id = other.campaign_id
    where other.plan_id is not null and other.deleted_at is null and theirs.adv_id = any(${[...adv_ids]}::int[])
    group by theirs.adv_id, other.plan_id having count(*) > 1),
  own as materialized (
    select found.adv_id, plan.id, plan.budget_mode, plan.budget,
      account.external_id || ${IN_NAME} || plan.plan_id || case when coalesce(shared.first, plan.id) = plan.id
        then ${BETWEEN_NAMES + IN_NAME} || plan.plan_id else '' end as name
    from found
    join campaign_plan as plan on plan.campaign_id = found.id and plan.deleted_at is null
    left join platform_account as account on account.id = plan.account_id
    left join shared on shared.adv_id = found.adv_id and shared.plan_id = plan.plan_id),
  activities as (
    select adv_id, string_agg(id::text, ',' order by id) as ids from found group by adv_id),
  whole as (
    select adv_id, count(*)::int as plans,
      sum(budget) filter (where budget_mode = 'day')::bigint as day_budget,
      sum(budget) filter (where budget_mode = 'total')::bigint as total_budget,
      coalesce(string_agg(name, ${BETWEEN_NAMES} order by id), '') as names
    from own group by adv_id)
  select adv_id, ids, coalesce(plans, 0) as plans, day_budget, total_budget,
    ${names === 'named' ? sql`coalesce(names, '')` : sql`encode(sha256(convert_to(coalesce(names, ''), 'UTF8')), 'hex')`} as names
  from activities left join whole using (adv_id) order by adv_id`

/** The wholes of a filter, an advertiser each; none where it finds nothing of it. */
export async function wholesOf(
  db: Kysely<Database>,
  adv_ids: readonly number[],
  isFound: RawBuilder<SqlBool>,
): Promise<FilteredWhole[]> {
  const { rows } = await wholesSql(adv_ids, isFound, 'hashed').execute(db)
  return rows.map(({ adv_id, ids, plans, day_budget, total_budget, names: key }) => ({
    adv_id,
    ids: ids.split(',').map(Number),
    plans,
    budgets: [
      { budget_mode: 'day', budget: day_budget },
      { budget_mode: 'total', budget: total_budget },
    ],
    linked: { adv_id, key, read: () => namesOf(db, isFound, adv_id) },
  }))
}

async function namesOf(db: Kysely<Database>, isFound: RawBuilder<SqlBool>, adv_id: number) {
  const { rows } = await wholesSql([adv_id], sql<SqlBool>`${isFound} and campaign.adv_id = ${adv_id}`, 'named').execute(
    db,
  )
  const text = rows[0]?.names ?? ''
  const key = createHash('sha256').update(text).digest('hex')
  return { key, names: text === '' ? [] : text.split(BETWEEN_NAMES) }
}
