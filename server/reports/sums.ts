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
  /** Only these plans of these accounts; not beside campaigns. */
  plans?: readonly ReportedPlan[]
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

/** A plan with its account as one text, as in `PLAN_NAME`. */
const planName = ({ account_id, plan_id }: ReportedPlan) => `${account_id}\n${plan_id}`
const PLAN_NAME = `concat(account_id, '\\n', plan_id)`

/**
 * Sums of reports, exact whatever their size: counts as they are, amounts in millionths of a yuan. A metric that no row
 * has is missing, since it is not known; a row of zeros is zero. `metricValue` makes values for the wire of them, and
 * computes rates and costs.
 */
export async function reportSums<const D extends ReportDimension = never>(
  on: AcrossShards,
  { adv_id, from, to, campaigns, plans }: ReportFilter,
  by: readonly D[] = [],
  signal?: AbortSignal,
): Promise<ReportSums<D>[]> {
  const columns = by.map((one) => COLUMNS[one])
  const counted = await countedRows(on)
  const asked = plans?.map(planName) ?? campaigns
  const given = asked === undefined ? [undefined] : inParts(asked)
  const name = plans === undefined ? 'campaign_id' : PLAN_NAME
  const groups = new Map<string, ReportSums<D>>()
  for (const part of given) {
    const rows = await on.query<Record<string, string> & { key: ReportedKey; total: string }>(
      `SELECT ${[...columns, 'key'].join(', ')}, toString(sum(toInt128(value))) AS total
       FROM (${counted.sql}) ARRAY JOIN mapKeys(metrics) AS key, mapValues(metrics) AS value
       WHERE ${part === undefined ? '1' : `${name} IN {names:Array(String)}`}
       GROUP BY ${[...columns, 'key'].join(', ')} ORDER BY ${[...columns, 'key'].join(', ')}`,
      { adv_id, from, to, ...(part === undefined ? {} : { names: part }) },
      { settings: counted.settings, ...(signal && { signal }) },
    )
    for (const row of rows) {
      const own = columns.map((column) => row[column] ?? '')
      const key = JSON.stringify(own)
      const group = groups.get(key) ?? newGroup<D>(columns, own)
      groups.set(key, group)
      group.sums[row.key] = (group.sums[row.key] ?? 0n) + BigInt(row.total)
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
