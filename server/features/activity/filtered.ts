import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { visibleMetrics } from '#contract/activity/metrics.ts'
import type { totalActivities } from '#contract/activity-list.ts'
import type { Viewer } from '../../http/viewer.ts'
import { shownNameHolds, textHolds } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'
import type { PlanSet } from '../../reports/kept-sums.ts'

export type Filters = Omit<z.output<typeof totalActivities.query>, 'time_range' | 'adv_id'>

/**
 * Whether a row of `campaign` is of these advertisers and what the filters ask for. Filters of creators are left out for
 * viewers to whom no creator is shown.
 */
export function isFiltered(
  viewer: Pick<Viewer, 'see_phones' | 'see_restricted'>,
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
  const seesCreators = visibleMetrics(['creator'], viewer).length > 0
  if (seesCreators && asked.create_by?.length) {
    holds.push(sql`campaign.creator_id = any(${asked.create_by}::int[])`)
  }
  if (seesCreators && asked.creator) {
    holds.push(sql`campaign.creator_id in (select id from viewer where ${shownNameHolds(asked.creator)})`)
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

/** The linked plans of an account; null where there are none. */
interface LinkedAccount {
  account_id: string | null
  linked: string | null
  /** The same for the same linked plans, in 128 bits: sums of hashes, since sorting the plans takes as long as finding them. */
  hash: string | null
  others: string | null
}

/** Separates plans in a text; no id of a plan has it (`PlanId`). */
const BETWEEN = '\f'

/**
 * The wholes of a filter, an advertiser each; none where it finds nothing of it. The plans of an account come as one text,
 * since rows of 20,000 plans alone take as long to read as all else. `others` are those that have no rows without an
 * account, since another plan with their number is the first (`takes_unnamed`).
 */
export async function wholesOf(
  db: Kysely<Database>,
  adv_ids: readonly number[],
  isFound: RawBuilder<SqlBool>,
): Promise<FilteredWhole[]> {
  const { rows } = await sql<{
    adv_id: number
    ids: string
    accounts: (LinkedAccount & { plans: number; day: number | null; total: number | null })[]
  }>`with found as materialized (
      select campaign.id, campaign.adv_id from campaign where ${isFound}),
    plans as materialized (
      select adv_id, account_id, count(*)::int as plans,
        sum(budget) filter (where budget_mode = 'day')::bigint as day,
        sum(budget) filter (where budget_mode = 'total')::bigint as total,
        string_agg(plan_id, ${BETWEEN}) as linked,
        concat(sum(hashtextextended(plan_id, 1)), ',', sum(hashtextextended(plan_id, 2))) as hash
      from found join campaign_plan as plan on plan.campaign_id = found.id and plan.deleted_at is null
      group by adv_id, account_id),
    shared as materialized (
      select theirs.adv_id, other.plan_id, min(other.id) as first
      from campaign_plan as other join campaign as theirs on theirs.id = other.campaign_id
      where other.deleted_at is null and theirs.adv_id = any(${[...adv_ids]}::int[]) and other.plan_id in (
        select plan_id from campaign_plan where plan_id is not null and deleted_at is null
        group by plan_id having count(*) > 1)
      group by theirs.adv_id, other.plan_id),
    others as materialized (
      select found.adv_id, plan.account_id, string_agg(plan.plan_id, ${BETWEEN} order by plan.id) as others
      from shared
      join campaign_plan as plan on plan.plan_id = shared.plan_id and plan.deleted_at is null and plan.id <> shared.first
      join found on found.id = plan.campaign_id and found.adv_id = shared.adv_id
      group by found.adv_id, plan.account_id),
    accounts as (
      select plans.adv_id, json_agg(json_build_object(
        'account_id', account.external_id, 'plans', plans, 'day', day, 'total', total,
        'linked', linked, 'hash', hash, 'others', others)
        order by account.id) as accounts
      from plans
      left join platform_account as account on account.id = plans.account_id
      left join others on others.adv_id = plans.adv_id and others.account_id = plans.account_id
      group by plans.adv_id),
    activities as (select adv_id, string_agg(id::text, ',') as ids from found group by adv_id)
    select adv_id, ids, coalesce(accounts, '[]') as accounts
    from activities left join accounts using (adv_id) order by adv_id`.execute(db)
  return rows.map(({ adv_id, ids, accounts }) => ({
    adv_id,
    ids: ids.split(',').map(Number),
    plans: accounts.reduce((sum, { plans }) => sum + plans, 0),
    budgets: accounts.flatMap(({ day, total }) => [
      { budget_mode: 'day' as const, budget: day },
      { budget_mode: 'total' as const, budget: total },
    ]),
    linked: planSet(adv_id, accounts),
  }))
}

function planSet(adv_id: number, accounts: readonly LinkedAccount[]): PlanSet {
  const linked = accounts.filter((one) => one.account_id !== null && one.linked !== null)
  const split = (text: string | null) => text?.split(BETWEEN) ?? []
  const unnamed = () =>
    linked.flatMap((one) => {
      const others = new Set(split(one.others))
      return split(one.linked).filter((plan_id) => !others.has(plan_id))
    })
  return {
    adv_id,
    key: JSON.stringify(linked.map((one) => [one.account_id, one.hash, one.others])),
    accounts: linked.length === 0 ? [] : ['', ...linked.map((one) => one.account_id ?? '')],
    plansOf: (account_id) =>
      account_id === '' ? unnamed() : split(linked.find((one) => one.account_id === account_id)?.linked ?? null),
  }
}
