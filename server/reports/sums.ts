import type { MetricSums } from '#contract/activity/formulas.ts'
import type { ReportedKey } from '#contract/activity/metrics.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'
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
  /** Only these metrics; rows with none of them have empty sums. */
  metrics?: readonly ReportedKey[]
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
const PLANS_LOOKED_UP = 5000

/** A plan with its account as one text. */
export const planName = ({ account_id, plan_id }: ReportedPlan) => `${account_id}\n${plan_id}`
/** The name of a row's plan. */
export const NAME = `concat(account_id, '\\n', plan_id)`
const IS_NAMED = `${NAME} IN (SELECT arrayJoin({names:Array(String)}))`

/** The condition on rows of plans with these names (`planName`), with its parameters. */
export function limitOfNames(names: readonly string[]): { sql: string; params: Record<string, readonly string[]> } {
  if (names.length > PLANS_LOOKED_UP) return { sql: IS_NAMED, params: { names } }
  const plan_ids = [...new Set(names.map((name) => name.slice(name.indexOf('\n') + 1)))]
  return { sql: `plan_id IN {plan_ids:Array(String)} AND ${IS_NAMED}`, params: { names, plan_ids } }
}

/** The condition on rows of these campaigns or plans, with its parameters; one for each statement. */
function limitsOf({ campaigns, plans, names: all }: ReportFilter) {
  if (campaigns)
    return inParts(campaigns).map((names) => ({ sql: 'campaign_id IN {names:Array(String)}', params: { names } }))
  const named = all ?? plans?.map(planName)
  return named ? inParts(named).map(limitOfNames) : [{ sql: '1', params: {} }]
}

/**
 * Sums of reports, exact whatever their size: counts as they are, amounts in millionths of a yuan. A metric that no row
 * has is missing, since it is not known; a row of zeros is zero. `metricValue` makes values for the wire of them, and
 * computes rates and costs.
 */
export async function reportSums<const D extends ReportDimension = never>(
  on: AcrossShards,
  filter: ReportFilter,
  by: readonly D[] = [],
  signal?: AbortSignal,
): Promise<ReportSums<D>[]> {
  const { adv_id, from, to, metrics } = filter
  const columns = by.map((one) => COLUMNS[one])
  const counted = await countedRows(on)
  const groups = new Map<string, ReportSums<D>>()
  for (const limit of limitsOf(filter)) {
    const rows = await on.query<Record<string, string> & { key: ReportedKey | typeof NO_METRIC; total: string }>(
      `SELECT ${[...columns, 'key'].join(', ')}, toString(sum(toInt128(value))) AS total
       FROM (${counted.sql(limit.sql)}) ${metrics ? SOME_METRICS : ALL_METRICS}
       GROUP BY ${[...columns, 'key'].join(', ')} ORDER BY ${[...columns, 'key'].join(', ')}`,
      { adv_id, from, to, ...limit.params, ...(metrics && { metrics: [...metrics] }) },
      { settings: counted.settings, ...(signal && { signal }) },
    )
    for (const row of rows) {
      const own = columns.map((column) => row[column] ?? '')
      const key = JSON.stringify(own)
      const group = groups.get(key) ?? newGroup<D>(columns, own)
      groups.set(key, group)
      if (row.key === NO_METRIC) continue
      group.sums[row.key] = (group.sums[row.key] ?? 0n) + BigInt(row.total)
    }
  }
  return [...groups.values()]
}

export const ALL_METRICS = 'ARRAY JOIN mapKeys(metrics) AS key, mapValues(metrics) AS value'
/** Of rows without any of the metrics asked for, which are rows all the same. */
const NO_METRIC = ''
const ASKED = 'arrayFilter(key -> mapContains(metrics, key), {metrics:Array(String)})'
const SOME_METRICS = `LEFT ARRAY JOIN ${ASKED} AS key, arrayMap(key -> metrics[key], ${ASKED}) AS value`

const newGroup = <D extends ReportDimension>(columns: readonly string[], own: readonly string[]) =>
  // The columns are those of the dimensions asked for.
  ({ ...Object.fromEntries(columns.map((column, at) => [column, own[at]])), sums: {} }) as ReportSums<D>

const inParts = (names: readonly string[]): string[][] => {
  const all = [...new Set(names)]
  return Array.from({ length: Math.ceil(all.length / NAMES_AT_ONCE) }, (_, part) =>
    all.slice(part * NAMES_AT_ONCE, (part + 1) * NAMES_AT_ONCE),
  )
}
