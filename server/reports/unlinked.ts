import type { AcrossShards } from '../clickhouse/handles.ts'
import type { Days } from './days-in-force.ts'
import { countedRows } from './rows-in-force.ts'
import { NAME, planName, type ReportedPlan } from './sums.ts'

/** What reports say of a plan that no activity has, or of a campaign where they name no plan. */
export interface UnlinkedPlan {
  account_id: string
  /** '' where the rows name none. */
  plan_id: string
  campaign: string
  first_day: string
  last_day: string
  /** On which there are rows. */
  days: number
  /** Millionths of a yuan; null where no row has a cost. */
  cost: bigint | null
}

interface Asked {
  adv_id: number
  /** The plans of activities. */
  linked: readonly ReportedPlan[]
  days: Days
  /** Only what this import of a file brought. */
  import_id?: number | undefined
  /** Only this account, and rows that name none. */
  account?: string | undefined
  /** An order by cost tells the costs to whoever adds a plan with one of his own. */
  order: keyof typeof ORDERS
  limit: number
  offset: number
}

const ORDERS = { cost: 'sum DESC', last_day: 'last_day DESC, plan_id' } as const

const OF_IMPORT = `(account_id, plan_id) IN (
  SELECT account_id, plan_id FROM report_day WHERE adv_id = {adv_id:UInt32} AND import_id = {import_id:UInt32})`

/** The rows that count and that no activity shows, by plan. */
export async function unlinkedPlans(
  on: AcrossShards,
  { adv_id, linked, days, import_id, account, order, limit, offset }: Asked,
): Promise<{ list: UnlinkedPlan[]; total: number; plans: number }> {
  const { sql, settings } = await countedRows(on)
  const limits = [
    // As constants, the names of many plans would keep the engine busy for a minute.
    `${NAME} NOT IN (SELECT arrayJoin({names:Array(String)}))`,
    `NOT (account_id = '' AND plan_id IN (SELECT arrayJoin({plans:Array(String)})))`,
    ...(import_id === undefined ? [] : [OF_IMPORT]),
    ...(account === undefined ? [] : [`account_id IN ('', {account:String})`]),
  ]
  type Row = Omit<UnlinkedPlan, 'cost'> & { cost: string; costs: number; all: number; named: number }
  const rows = await on.query<Row>(
    `SELECT *, count() OVER () AS all, countIf(plan_id != '') OVER () AS named FROM (
       SELECT account_id, plan_id, argMax(campaign_id, date) AS campaign, toString(min(date)) AS first_day,
         toString(max(date)) AS last_day, toUInt32(uniqExact(date)) AS days,
         toString(sum(toInt128(metrics['cost'])) AS sum) AS cost, countIf(mapContains(metrics, 'cost')) AS costs, sum
       FROM (${sql(limits.join(' AND '))}) GROUP BY account_id, plan_id, if(plan_id = '', campaign_id, ''))
     ORDER BY ${ORDERS[order]}, account_id, plan_id, campaign LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    {
      ...{ adv_id, ...days, limit, offset },
      names: linked.map(planName),
      plans: linked.map(({ plan_id }) => plan_id),
      ...(import_id !== undefined && { import_id }),
      ...(account !== undefined && { account }),
    },
    { settings },
  )
  const list = rows.map(({ account_id, plan_id, campaign, first_day, last_day, days: on_days, cost, costs }) => ({
    ...{ account_id, plan_id, campaign, first_day, last_day, days: on_days },
    cost: costs === 0 ? null : BigInt(cost),
  }))
  return { list, total: rows[0]?.all ?? 0, plans: rows[0]?.named ?? 0 }
}

/** The first and the last day of an import's rows; null if it has none. */
export async function daysOfImport(on: AcrossShards, adv_id: number, import_id: number): Promise<Days | null> {
  const [row] = await on.query<{ n: number; from: string; to: string }>(
    `SELECT count() AS n, toString(min(date)) AS from, toString(max(date)) AS to FROM report_day
     WHERE adv_id = {adv_id:UInt32} AND import_id = {import_id:UInt32}`,
    { adv_id, import_id },
  )
  return row && row.n > 0 ? { from: row.from, to: row.to } : null
}
