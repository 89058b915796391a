import type { MetricSums } from '#contract/activity/formulas.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'
import { addLayouts, LAYOUT_SUMS, type LayoutSums, layoutsOf } from './layout-sums.ts'
import { countedRows } from './rows-in-force.ts'

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
  const { adv_id, from, to } = filter
  const columns = by.map((one) => COLUMNS[one])
  const grouped = [...columns, 'layout'].join(', ')
  const counted = await countedRows(on)
  const groups = new Map<string, ReportSums<D>>()
  for (const limit of limitsOf(filter)) {
    const rows = await on.query<LayoutSums & Record<string, string>>(
      `SELECT ${[...columns, LAYOUT_SUMS].join(', ')} FROM (${counted.sql(limit.sql)}) GROUP BY ${grouped} ORDER BY ${grouped}`,
      { adv_id, from, to, ...limit.params },
      { settings: counted.settings, ...(signal && { signal }) },
    )
    for (const row of rows) {
      const own = columns.map((column) => row[column] ?? '')
      const key = JSON.stringify(own)
      const group = groups.get(key) ?? newGroup<D>(columns, own)
      groups.set(key, group)
      addLayouts(group.sums, layoutsOf([row]))
    }
  }
  return [...groups.values()]
}

const newGroup = <D extends ReportDimension>(columns: readonly string[], own: readonly string[]) =>
  // The columns are those of the dimensions asked for.
  ({ ...Object.fromEntries(columns.map((column, at) => [column, own[at]])), sums: {} }) as ReportSums<D>

const inParts = (names: readonly string[]): string[][] => {
  const all = [...new Set(names)]
  return Array.from({ length: Math.ceil(all.length / NAMES_AT_ONCE) }, (_, part) =>
    all.slice(part * NAMES_AT_ONCE, (part + 1) * NAMES_AT_ONCE),
  )
}
