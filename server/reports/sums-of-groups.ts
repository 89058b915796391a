import { addSums, type MetricSums } from '#contract/activity/formulas.ts'
import type { ReportedKey } from '#contract/activity/metrics.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'
import { countedRows } from './rows-in-force.ts'
import { limitOfNames, NAME, planName, type ReportedPlan } from './sums.ts'

/** Plans that are added up together; a plan is in one group. */
export interface PlanGroup {
  /** The caller's own, more than 0. */
  no: number
  plan: ReportedPlan
}

/** Sums by day (YYYY-MM-DD); a day without a row is missing, as is a metric that no row of the day has. */
export type SumsByDay = Map<string, MetricSums>

/** Plans of one statement, which has their names and numbers as constants. */
const PLANS_AT_ONCE = 2000

/**
 * Some metrics of groups of plans by day, added up by the engine: of a hundred activities it answers a third of the rows
 * that their plans have. Exact like `reportSums`.
 */
export async function sumsOfGroups(
  on: AcrossShards,
  { adv_id, from, to, metrics }: { adv_id: number; from: string; to: string; metrics: readonly ReportedKey[] },
  groups: readonly PlanGroup[],
): Promise<Map<number, SumsByDay>> {
  const counted = await countedRows(on)
  const found = new Map<number, SumsByDay>()
  const numbers = new Map(groups.map(({ no, plan }) => [planName(plan), no]))
  const all = [...numbers.keys()]
  for (let at = 0; at < all.length; at += PLANS_AT_ONCE) {
    const names = all.slice(at, at + PLANS_AT_ONCE)
    const limit = limitOfNames(names)
    const rows = await on.query<{ no: number; days: string[]; sums: (string | null)[][] }>(
      `SELECT no, groupArray(day) AS days, groupArray(sums) AS sums FROM (
         SELECT transform(${NAME}, {grouped:Array(String)}, {numbers:Array(UInt32)}, toUInt32(0)) AS no,
           toString(date) AS day, [${metrics.map(sumSql).join(', ')}] AS sums
         FROM (${counted.sql(limit.sql)}) GROUP BY no, date)
       GROUP BY no`,
      {
        ...{ adv_id, from, to, grouped: names, numbers: names.map((name) => numbers.get(name) as number) },
        ...limit.params,
      },
      { settings: counted.settings },
    )
    for (const { no, days, sums } of rows) {
      const byDay = found.get(no) ?? new Map<string, MetricSums>()
      found.set(no, byDay)
      for (const [place, day] of days.entries()) {
        byDay.set(day, addSums(byDay.get(day) ?? {}, sumsIn(metrics, sums[place] ?? [])))
      }
    }
  }
  return found
}

/** Null where no row has the metric. */
const sumSql = (key: ReportedKey) =>
  `if(countIf(mapContains(metrics, '${key}')) = 0, NULL, toString(sum(toInt128(metrics['${key}']))))`

const sumsIn = (metrics: readonly ReportedKey[], sums: readonly (string | null)[]): MetricSums =>
  Object.fromEntries(
    metrics.flatMap((key, at) => {
      const sum = sums[at] ?? null
      return sum === null ? [] : [[key, BigInt(sum)]]
    }),
  )
