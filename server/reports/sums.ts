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
}

/** Sums of the rows that share the named columns; days are YYYY-MM-DD. */
export type ReportSums<D extends ReportDimension> = Record<ColumnOf[D], string> & { sums: MetricSums }

/** Campaigns of a statement; more are asked in several. */
const CAMPAIGNS_AT_ONCE = 5000

/**
 * Sums of reports, exact whatever their size: counts as they are, amounts in millionths of a yuan. A metric that no row
 * has is missing, since it is not known; a row of zeros is zero. `metricValue` makes values for the wire of them, and
 * computes rates and costs.
 */
export async function reportSums<const D extends ReportDimension = never>(
  on: AcrossShards,
  { adv_id, from, to, campaigns }: ReportFilter,
  by: readonly D[] = [],
  signal?: AbortSignal,
): Promise<ReportSums<D>[]> {
  const columns = by.map((one) => COLUMNS[one])
  const counted = await countedRows(on)
  const given = campaigns === undefined ? [undefined] : inParts(campaigns)
  const groups = new Map<string, ReportSums<D>>()
  for (const part of given) {
    const rows = await on.query<Record<string, string> & { key: ReportedKey; total: string }>(
      `SELECT ${[...columns, 'key'].join(', ')}, toString(sum(toInt128(value))) AS total
       FROM (${counted.sql}) ARRAY JOIN mapKeys(metrics) AS key, mapValues(metrics) AS value
       WHERE ${part === undefined ? '1' : 'campaign_id IN {campaigns:Array(String)}'}
       GROUP BY ${[...columns, 'key'].join(', ')} ORDER BY ${[...columns, 'key'].join(', ')}`,
      { adv_id, from, to, ...(part === undefined ? {} : { campaigns: part }) },
      { settings: counted.settings, ...(signal && { signal }) },
    )
    for (const row of rows) {
      const own = columns.map((column) => row[column] ?? '')
      const name = JSON.stringify(own)
      const group = groups.get(name) ?? newGroup<D>(columns, own)
      groups.set(name, group)
      group.sums[row.key] = (group.sums[row.key] ?? 0n) + BigInt(row.total)
    }
  }
  return [...groups.values()]
}

const newGroup = <D extends ReportDimension>(columns: readonly string[], own: readonly string[]) =>
  // The columns are those of the dimensions asked for.
  ({ ...Object.fromEntries(columns.map((column, at) => [column, own[at]])), sums: {} }) as ReportSums<D>

const inParts = (campaigns: readonly string[]): string[][] => {
  const all = [...new Set(campaigns)]
  return Array.from({ length: Math.ceil(all.length / CAMPAIGNS_AT_ONCE) }, (_, part) =>
    all.slice(part * CAMPAIGNS_AT_ONCE, (part + 1) * CAMPAIGNS_AT_ONCE),
  )
}
