import type { AcrossShards } from '../clickhouse/handles.ts'

// Statements about an advertiser's reports between two days, both included. They take the parameters `adv_id`, `from` and
// `to`.

/** What the rows of a day of an account say together, whatever their order: compared with how many they are. */
export const SAID = 'sum(reinterpretAsUInt128(sipHash128(campaign_id, plan_id, toString(mapSort(metrics)))))'

const WITHIN = 'adv_id = {adv_id:UInt32} AND date BETWEEN {from:Date} AND {to:Date}'
const COLUMNS = 'date, account_id, source, campaign_id, plan_id, metrics, layout'

/**
 * The version of each (account, day, source) whose rows count. The engine keeps it beside the rows (the projection
 * `in_force`), so that it need not read them all.
 */
const HELD = `SELECT date, account_id, source, max(version) FROM report_day WHERE ${WITHIN}
  GROUP BY date, account_id, source`
const IS_HELD = `NOT is_empty AND (date, account_id, source, version) IN (${HELD})`

/** Rows of some versions, grouped by the caller, who tells those in force from others by `IN_FORCE`. */
export const ofVersions = (limit: string) =>
  `SELECT version, ${COLUMNS} FROM report_day WHERE ${WITHIN} AND ${limit} AND NOT is_empty
     AND version IN (SELECT toUInt64(arrayJoin({versions:Array(String)})))`

/** The rows in force of files. Only while no import of the advertiser can change them: the table is read twice. */
export const FILES_IN_FORCE = `SELECT ${COLUMNS} FROM report_day WHERE ${WITHIN} AND source = 'file' AND ${IS_HELD}`

/** The rows in force of files and platforms alike, also those that the other one outranks. */
export const allInForce = (limit: string) =>
  `SELECT ${COLUMNS} FROM report_day WHERE ${WITHIN} AND ${limit} AND ${IS_HELD}`

/**
 * The readings and files in force: while they are the same for an account's day, so are the rows that count. A version never
 * changes, but an import may get that of one that was undone.
 */
export const IN_FORCE = `SELECT date, account_id, source, max(version) AS newest, argMax(import_id, version) AS import_id
  FROM report_day WHERE ${WITHIN} GROUP BY date, account_id, source`

const OF_BOTH = 'GROUP BY date, account_id HAVING count() = 2'
/** How many days of accounts a file and the platform have alike; without one, all rows in force count. */
export const DAYS_OF_BOTH = `SELECT count() AS days FROM (SELECT 1 FROM (${IN_FORCE}) ${OF_BOTH})`
/** The newest reading of each day of an account that a file has, too. */
const READINGS_BESIDE_FILES = `SELECT date, account_id, maxIf(newest, source = 'platform') FROM (${IN_FORCE}) ${OF_BOTH}`
/** A row of a file is known by its plan; one without a plan, by its campaign. */
const PLAN = "concat('p', plan_id)"
const CAMPAIGN = "concat('c', campaign_id)"
/** What platforms know of the days that files have, too. */
const KNOWN = `SELECT date, account_id, arrayJoin([${PLAN}, ${CAMPAIGN}]) FROM report_day
  WHERE ${WITHIN} AND source = 'platform' AND NOT is_empty AND (date, account_id, version) IN (${READINGS_BESIDE_FILES})`

/** Reads the table several times, which is exact only with one snapshot for the whole statement. */
const countedOfOneSnapshot = (limit: string) => `
  SELECT ${COLUMNS} FROM report_day WHERE ${WITHIN} AND ${limit} AND ${IS_HELD}
    AND (source = 'platform' OR (date, account_id, if(plan_id = '', ${CAMPAIGN}, ${PLAN})) NOT IN (${KNOWN}))`

/** The same rows in one pass over the table, for engines without that setting. */
const countedInOnePass = (limit: string) => `
  SELECT * FROM (
    SELECT *, max(source = 'platform') OVER (PARTITION BY date, account_id, plan_id) AS knows_plan,
      max(source = 'platform') OVER (PARTITION BY date, account_id, campaign_id) AS knows_campaign
    FROM (
      SELECT ${COLUMNS}, is_empty, version, max(version) OVER (PARTITION BY date, account_id, source) AS newest
      FROM report_day WHERE ${WITHIN})
    WHERE version = newest AND NOT is_empty)
  WHERE ${limit} AND (source = 'platform' OR NOT if(plan_id = '', knows_campaign, knows_plan))`

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
  /** `limit`: a condition on the days or the plans of the rows. */
  sql(limit: string): string
  settings: Readonly<Record<string, number>>
  /** Whether all parts of a statement read the same state of the table. */
  isOneSnapshot: boolean
}
export const ROWS = {
  ofOneSnapshot: { sql: countedOfOneSnapshot, settings: { [ONE_SNAPSHOT]: 1 }, isOneSnapshot: true },
  inOnePass: { sql: countedInOnePass, settings: {}, isOneSnapshot: false },
} as const satisfies Record<string, CountedRows>

const KNOWS = new WeakMap<AcrossShards, Promise<boolean>>()

const knowsOneSnapshot = async (on: AcrossShards): Promise<boolean> =>
  (await on.query(`SELECT 1 FROM system.settings WHERE name = '${ONE_SNAPSHOT}'`)).length > 0
