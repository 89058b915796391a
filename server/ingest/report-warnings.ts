import { metricOf, REPORTED, type ReportedKey } from '#contract/activity/metrics.ts'
import { outcome } from '#contract/outcome.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'
import { allInForce, FILES_IN_FORCE } from '../reports/rows-in-force.ts'
import { type CountedRows, rowCounter } from './counted-rows.ts'
import type { LinkedPlan } from './load-types.ts'

/** A row's plan, or its campaign where it is a sum over plans. */
const OF = `if(plan_id = '', concat('c', campaign_id), concat('p', plan_id))`

interface Staged {
  adv_id: number
  /** The table with the rows of the file. */
  stage: string
  /** Its first and last day. */
  from: string
  to: string
  /** Metrics that the file has columns for. */
  metrics: readonly ReportedKey[]
}

/**
 * What somebody should know of a file of reports whose rows were all stored: rows that no activity shows, rows that
 * count beside others of the same plan and day, rows that were pasted twice, and what was there and is gone with its day:
 * whole rows, or metrics that the file does not have.
 */
export async function reportWarnings(
  engine: AcrossShards,
  { adv_id, stage, from, to, metrics }: Staged,
  linked: readonly LinkedPlan[],
  signal: AbortSignal | undefined,
): Promise<CountedRows[]> {
  const count = async (sql: string, params = {}) => {
    const [row] = await engine.query<{ n: number }>(sql, { adv_id, from, to, ...params }, { signal })
    return row?.n ?? 0
  }
  const ofOthers = (condition: string) => `(date, plan_id) IN (SELECT date, plan_id FROM (${allInForce(condition)}))`
  const unlinked = await count(
    `SELECT count() AS n FROM ${stage} WHERE concat(account_id, '\\n', plan_id) NOT IN {names:Array(String)}
       AND NOT (account_id = '' AND plan_id IN {plans:Array(String)})`,
    {
      names: linked.map(({ account_id, plan_id }) => `${account_id}\n${plan_id}`),
      plans: linked.map(({ plan_id }) => plan_id),
    },
  )
  const doubled = await count(
    `SELECT count() AS n FROM ${stage} WHERE plan_id != ''
       AND ((account_id = '' AND ${ofOthers("account_id != ''")}) OR (account_id != '' AND ${ofOthers("account_id = ''")}))`,
  )
  const gone = await count(
    `SELECT count() AS n FROM (${FILES_IN_FORCE}) AS known
     WHERE (date, account_id) IN (SELECT date, account_id FROM ${stage})
       AND (date, account_id, ${OF}) NOT IN (SELECT date, account_id, ${OF} FROM ${stage})`,
  )
  const alike = await count(
    `SELECT sum(n) AS n FROM (SELECT count() AS n FROM ${stage}
       GROUP BY date, account_id, campaign_id, plan_id, metrics HAVING n > 1)`,
  )
  const [poorer] = await engine.query<{ n: number; keys: ReportedKey[] }>(
    `SELECT count() AS n, groupUniqArrayArray(lost) AS keys FROM (
       SELECT arrayFilter(key -> NOT has({metrics:Array(String)}, key), mapKeys(metrics)) AS lost
       FROM (${FILES_IN_FORCE}) AS known WHERE (date, account_id, ${OF}) IN (SELECT date, account_id, ${OF} FROM ${stage}))
     WHERE notEmpty(lost)`,
    { adv_id, from, to, metrics: [...metrics] },
    { signal },
  )
  const warnings = rowCounter()
  if (unlinked > 0) warnings.add(outcome('report_rows_unlinked'), unlinked)
  if (doubled > 0) warnings.add(outcome('report_rows_doubled'), doubled)
  if (alike > 0) warnings.add(outcome('report_rows_alike'), alike)
  if (gone > 0) warnings.add(outcome('report_rows_gone'), gone)
  if (poorer && poorer.n > 0) {
    const lost = REPORTED.filter((key) => poorer.keys.includes(key))
    warnings.add(outcome('report_metrics_gone', { labels: lost.map((key) => metricOf(key).label) }), poorer.n)
  }
  return warnings.counts()
}
