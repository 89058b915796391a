import type { MetricSums } from '#contract/activity/formulas.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'
import { addLayouts, LAYOUT_SUMS, type LayoutSums, layoutsOf } from './layout-sums.ts'
import { allInForce, countedRows, DAYS_OF_BOTH } from './rows-in-force.ts'

/** What sums are kept apart by. Plans are numbered within their account. */
export type ReportDimension = 'day' | 'account' | 'campaign' | 'plan'

const COLUMNS = {
  day: 'date',
  account: 'account_id',
  campaign: 'campaign_id',
  plan: 'plan_id',
} as const satisfies Record<ReportDimension, string>
type ColumnOf = typeof COLUMNS

export interface ReportFilter {
  adv_id: number
  /** Days of TIMEZONE (YYYY-MM-DD), both included. */
  from: string
  to: string
  /** Left out, all of them. */
  campaigns?: readonly string[]
  /** Only these plans of these accounts; one of campaigns, plans and names. */
  plans?: readonly ReportedPlan[]
  /** The same by their names (`planName`), of many plans. */
  names?: readonly string[]
}

/** A plan as reports name it; an account of '' is that of files without accounts. */
export interface ReportedPlan {
  account_id: string
  plan_id: string
}

/** Sums of the rows that share the named columns; days are YYYY-MM-DD. */
export type ReportSums<D extends ReportDimension> = Record<ColumnOf[D], string> & { sums: MetricSums }

/** Campaigns or plans of a statement; more are asked in several. */
const NAMES_AT_ONCE = 50_000
/** Fewer plans are looked up one by one (the projection `by_plan`); of more, all rows are read. */
export const PLANS_LOOKED_UP = 5000

/** A plan with its account as one text. */
export const planName = ({ account_id, plan_id }: ReportedPlan) => `${account_id}\n${plan_id}`
/** The name of a row's plan. */
export const NAME = `concat(account_id, '\\n', plan_id)`
const IS_NAMED = `${NAME} IN (SELECT arrayJoin({names:Array(String)}))`
/** First by the column that the projection is ordered by, so that it is used; that of pairs of columns takes twice as long. */
const IS_LOOKED_UP = `plan_id IN (SELECT substring(arrayJoin({names:Array(String)}) AS name, position(name, '\\n') + 1))
  AND ${IS_NAMED}`

/** The condition on rows of plans with these names (`planName`), with its parameters. */
export const limitOfNames = (names: readonly string[]): { sql: string; params: { names: readonly string[] } } => ({
  sql: names.length > PLANS_LOOKED_UP ? IS_NAMED : IS_LOOKED_UP,
  params: { names },
})

/** The condition on rows of these campaigns or plans, with its parameters; one for each statement. */
function limitsOf({ campaigns, plans, names: all }: ReportFilter) {
  if (campaigns)
    return inParts(campaigns).map((names) => ({ sql: 'campaign_id IN {names:Array(String)}', params: { names } }))
  const named = all ?? plans?.map(planName)
  return named ? inParts(named).map(limitOfNames) : [{ sql: '1', params: {} }]
}

/**
 * Sums of reports, exact whatever their size: counts as they are, amounts in millionths of a yuan. A metric that no row
 * has is missing, since it is not known; a row of zeros is zero. Rows without any metric have empty sums. `metricValue` makes values for the wire of them, and
 * computes rates and costs.
 */
export async function reportSums<const D extends ReportDimension = never>(
  on: AcrossShards,
  filter: ReportFilter,
  by: readonly D[] = [],
  signal?: AbortSignal,
): Promise<ReportSums<D>[]> {
  const columns = by.map((one) => COLUMNS[one])
  const groups = new Map<string, ReportSums<D>>()
  for (const limit of limitsOf(filter)) {
    for (const row of await layoutRows(on, filter, columns, limit, signal)) {
      const own = columns.map((column) => row[column] ?? '')
      const key = JSON.stringify(own)
      const group = groups.get(key) ?? newGroup<D>(columns, own)
      groups.set(key, group)
      addLayouts(group.sums, layoutsOf([row]))
    }
  }
  return [...groups.values()]
}

type LayoutRow = LayoutSums & Record<string, string>

/** Advertisers that had a day of a file and a platform alike when they were asked last. */
const MIXED = new WeakMap<AcrossShards, Set<number>>()

/**
 * The sums of the rows that count, by the columns and the layout. The rule for days that a file and a platform have alike
 * takes a third of the time of twenty activities, so it is left out while the same snapshot says that there is none.
 */
async function layoutRows(
  on: AcrossShards,
  { adv_id, from, to }: ReportFilter,
  columns: readonly (keyof typeof OF_NO_ROW)[],
  limit: ReturnType<typeof limitsOf>[number],
  signal: AbortSignal | undefined,
): Promise<LayoutRow[]> {
  const counted = await countedRows(on)
  const grouped = [...columns, 'layout'].join(', ')
  const sumsOf = (rows: string) => `SELECT ${[...columns, LAYOUT_SUMS].join(', ')} FROM (${rows}) GROUP BY ${grouped}`
  const query = <Row extends LayoutRow>(sql: string) =>
    on.query<Row>(
      `${sql} ORDER BY ${grouped}`,
      { adv_id, from, to, ...limit.params },
      { settings: counted.settings, ...(signal && { signal }) },
    )
  if (!counted.isOneSnapshot) return query(sumsOf(counted.sql(limit.sql)))

  const days = [...columns.map((column) => `${OF_NO_ROW[column]} AS ${column}`), NO_SUMS].join(', ')
  const withDays = async (sql: string) => {
    const found = await query<LayoutRow & { days_of_both: number | null }>(
      `SELECT * FROM (SELECT *, NULL AS days_of_both FROM (${sumsOf(sql)})
         UNION ALL SELECT ${days}, toNullable(days) AS days_of_both FROM (${DAYS_OF_BOTH}))`,
    )
    return {
      rows: found.filter((row) => row.days_of_both === null),
      isMixed: found.some((row) => row.days_of_both !== null && row.days_of_both > 0),
    }
  }
  const mixed = MIXED.get(on) ?? new Set()
  MIXED.set(on, mixed)
  const wasMixed = mixed.has(adv_id)
  const { rows, isMixed } = await withDays(wasMixed ? counted.sql(limit.sql) : allInForce(limit.sql))
  if (isMixed) mixed.add(adv_id)
  else mixed.delete(adv_id)
  return wasMixed || !isMixed ? rows : query(sumsOf(counted.sql(limit.sql)))
}

/** What stands in the columns of the row that is about no rows. */
const OF_NO_ROW = {
  date: 'toDate(0)',
  account_id: "''",
  campaign_id: "''",
  plan_id: "''",
} as const satisfies Record<ColumnOf[ReportDimension], string>
const NO_SUMS = "'' AS layout, toUInt64(0) AS rows, emptyArrayString() AS sums"

const newGroup = <D extends ReportDimension>(columns: readonly string[], own: readonly string[]) =>
  // The columns are those of the dimensions asked for.
  ({ ...Object.fromEntries(columns.map((column, at) => [column, own[at]])), sums: {} }) as ReportSums<D>

const inParts = (names: readonly string[]): string[][] => {
  const all = [...new Set(names)]
  return Array.from({ length: Math.ceil(all.length / NAMES_AT_ONCE) }, (_, part) =>
    all.slice(part * NAMES_AT_ONCE, (part + 1) * NAMES_AT_ONCE),
  )
}
