import type { AcrossShards } from '../clickhouse/handles.ts'

// Statements about an advertiser's reports between two days, both included. They take the parameters `adv_id`, `from` and
// `to`.

/** What the rows of a day of an account say together, whatever their order: compared with how many they are. */
export const SAID = 'sum(reinterpretAsUInt128(sipHash128(campaign_id, plan_id, toString(mapSort(metrics)))))'

const WITHIN = 'adv_id = {adv_id:UInt32} AND date BETWEEN {from:Date} AND {to:Date}'
const COLUMNS = 'date, account_id, source, campaign_id, plan_id, metrics'

/** The version of each (account, day, source) whose rows count. */
const HELD = `SELECT date, account_id, source, max(version) FROM report_day WHERE ${WITHIN}
  GROUP BY date, account_id, source`
const IS_HELD = `NOT is_empty AND (date, account_id, source, version) IN (${HELD})`

/** The rows in force of files. Only while no import of the advertiser can change them: the table is read twice. */
export const FILES_IN_FORCE = `SELECT ${COLUMNS} FROM report_day WHERE ${WITHIN} AND source = 'file' AND ${IS_HELD}`

/** What a platform knows of the accounts and days that files have, too. */
const known = (column: 'plan_id' | 'campaign_id') => `(date, account_id, ${column}) IN (
  SELECT date, account_id, ${column} FROM report_day
  WHERE ${WITHIN} AND source = 'platform' AND ${IS_HELD}
    AND (date, account_id) IN (SELECT date, account_id FROM report_day WHERE ${WITHIN} AND source = 'file'))`

/** Reads the table several times, which is exact only with one snapshot for the whole statement. */
const COUNTED_OF_ONE_SNAPSHOT = `
  SELECT ${COLUMNS} FROM report_day WHERE ${WITHIN} AND ${IS_HELD}
    AND (source = 'platform' OR NOT if(plan_id = '', ${known('campaign_id')}, ${known('plan_id')}))`

/** The same rows in one pass over the table, for engines without that setting. */
const COUNTED_IN_ONE_PASS = `
  SELECT * FROM (
    SELECT *, max(source = 'platform') OVER (PARTITION BY date, account_id, plan_id) AS knows_plan,
      max(source = 'platform') OVER (PARTITION BY date, account_id, campaign_id) AS knows_campaign
    FROM (
      SELECT ${COLUMNS}, is_empty, version, max(version) OVER (PARTITION BY date, account_id, source) AS newest
      FROM report_day WHERE ${WITHIN})
    WHERE version = newest AND NOT is_empty)
  WHERE source = 'platform' OR NOT if(plan_id = '', knows_campaign, knows_plan)`

const ONE_SNAPSHOT = 'enable_shared_storage_snapshot_in_query'

/**
 * The rows that count: those of the greatest version of each (account, day, source), without the rows of files that a
 * platform knows better. These are rows of the same account, day and plan, and rows without a plan, which are sums over
 * plans, where the platform has the same account, day and campaign. A day that is replaced while the statement runs is
 * read as it was or as it is, never in part: the statement must be run with these settings.
 */
export async function countedRows(on: AcrossShards): Promise<CountedRows> {
  const known = KNOWS.get(on) ?? knowsOneSnapshot(on)
  KNOWS.set(on, known)
  // Asked again after a failure.
  known.catch(() => KNOWS.delete(on))
  return (await known) ? ROWS.ofOneSnapshot : ROWS.inOnePass
}

interface CountedRows {
  sql: string
  settings: Readonly<Record<string, number>>
}
export const ROWS = {
  ofOneSnapshot: { sql: COUNTED_OF_ONE_SNAPSHOT, settings: { [ONE_SNAPSHOT]: 1 } },
  inOnePass: { sql: COUNTED_IN_ONE_PASS, settings: {} },
} as const satisfies Record<string, CountedRows>

const KNOWS = new WeakMap<AcrossShards, Promise<boolean>>()

const knowsOneSnapshot = async (on: AcrossShards): Promise<boolean> =>
  (await on.query(`SELECT 1 FROM system.settings WHERE name = '${ONE_SNAPSHOT}'`)).length > 0
