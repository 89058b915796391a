import { REPORTED, type ReportedKey } from '#contract/activity/metrics.ts'
import type { AcrossShards, Handles } from '../clickhouse/handles.ts'
import { removeRows } from '../clickhouse/remove-rows.ts'

/** What a platform says of a plan on a day: counts as they are, amounts in millionths of a yuan. */
export interface PlanDay {
  campaign_id: string
  plan_id: string
  /** Left out, a metric is not known, which is not 0. */
  metrics: Partial<Record<ReportedKey, bigint>>
}

/** All that a platform said of an account on one day, after every page of the answer has arrived. */
export interface AccountDay {
  adv_id: number
  /** The platform's own id. */
  account_id: string
  /** YYYY-MM-DD */
  date: string
  /** Greater than that of every earlier reading of the account: a late answer must not undo a newer one. */
  version: number
  /** Epoch seconds. */
  taken_at: number
  /** None: nothing happened on the day. */
  plans: readonly PlanDay[]
}

/** An insert of more could become several parts, which a kill may separate. */
const PLANS_MAX = 100_000
const INT64 = 2n ** 63n

/**
 * Replaces what a platform said of an account on a day. One insert of one part does it: a kill leaves the day as it was or
 * as it is now. Repeated with the same version after a kill it would double the day, so a version that is there already is
 * left alone.
 */
export async function keepReading(on: Handles, day: AccountDay): Promise<void> {
  const { adv_id, account_id, date, version, taken_at, plans } = day
  if (plans.length > PLANS_MAX) throw new RangeError(`${plans.length} plans on a day are more than ${PLANS_MAX}`)
  const common = { adv_id, account_id, date, version, source: 'platform', taken_at, import_id: 0 }
  const rows = plans.map(({ campaign_id, plan_id, metrics }) => ({
    ...common,
    campaign_id,
    plan_id,
    metrics: stored(metrics),
    is_empty: 0,
  }))
  const had = await on.acrossShards.query(
    `SELECT 1 FROM report_day WHERE adv_id = {adv_id:UInt32} AND date = {date:Date} AND account_id = {account_id:String}
     AND source = 'platform' AND version = {version:UInt64} LIMIT 1`,
    { adv_id, date, account_id, version },
  )
  if (had.length > 0) return
  const nothing = { ...common, campaign_id: '', plan_id: '', metrics: {}, is_empty: 1 }
  await on.acrossShards.insert('report_day', rows.length > 0 ? rows : [nothing])
}

/** What a reading said of these plans; those that it did not have are missing. */
export async function readingOf(
  on: AcrossShards,
  { adv_id, account_id, date, version }: Pick<AccountDay, 'adv_id' | 'account_id' | 'date' | 'version'>,
  plans: readonly string[],
): Promise<ReadonlyMap<string, PlanDay['metrics']>> {
  const rows = await on.query<{ plan_id: string; metrics: Record<string, string> }>(
    `SELECT plan_id, mapApply((key, value) -> (key, toString(value)), metrics) AS metrics FROM report_day
     WHERE adv_id = {adv_id:UInt32} AND date = {date:Date} AND account_id = {account_id:String}
       AND source = 'platform' AND version = {version:UInt64} AND plan_id IN {plans:Array(String)}`,
    { adv_id, date, account_id, version, plans: [...plans] },
  )
  const read = (metrics: Record<string, string>) =>
    Object.fromEntries(Object.entries(metrics).map(([key, value]) => [key, BigInt(value)]))
  return new Map(rows.map(({ plan_id, metrics }) => [plan_id, read(metrics)]))
}

/** As JSON for the engine, which reads 64-bit numbers from text. */
function stored(metrics: PlanDay['metrics']): Record<string, string> {
  const known = REPORTED.flatMap((key) => {
    const value = metrics[key]
    if (value === undefined) return []
    if (value >= INT64 || value < -INT64) throw new RangeError(`${key} is ${value}, more than 64 bits hold`)
    return [[key, String(value)] as const]
  })
  return Object.fromEntries(known)
}

/** A reading's day, version and account as one text; the first two have no spaces. */
const KEY = `concat(toString(date), ' ', toString(version), ' ', account_id)`
const READINGS_AT_ONCE = 5000

/**
 * Removes readings that newer ones replaced. Replaced rows of files stay: they count again when the import that replaced
 * them is undone.
 */
export async function dropReplacedReadings({ acrossShards, everyShard }: Handles): Promise<void> {
  const replaced = await acrossShards.query<{ adv_id: number; key: string }>(
    `SELECT DISTINCT adv_id, ${KEY} AS key FROM (
       SELECT adv_id, date, account_id, version, max(version) OVER (PARTITION BY adv_id, date, account_id) AS newest
       FROM report_day WHERE source = 'platform') WHERE version < newest`,
  )
  for (const [adv_id, keys] of Map.groupBy(replaced, (row) => row.adv_id)) {
    for (let at = 0; at < keys.length; at += READINGS_AT_ONCE) {
      await removeRows(
        everyShard,
        'report_day',
        `adv_id = {adv_id:UInt32} AND source = 'platform' AND ${KEY} IN {keys:Array(String)}`,
        { adv_id, keys: keys.slice(at, at + READINGS_AT_ONCE).map(({ key }) => key) },
      )
    }
  }
}
