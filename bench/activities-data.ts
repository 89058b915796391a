// Activities with plans, and what platforms, a file and the advertiser's own events say of them.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { REPORTED } from '#contract/activity/metrics.ts'
import type { ReportsMapping } from '#contract/import.ts'
import type { StandardEvent } from '#contract/standard-event.ts'
import { keepReading, type PlanDay } from '../server/reports/readings.ts'
import type { openConsole } from './console.ts'
import { randomBelow } from './measure.ts'

type Opened = Awaited<ReturnType<typeof openConsole>>

const ACCOUNTS = 8
const MAX_VALUE = 2_000_000_000
/** Days that were read twice, as they are every morning. */
const READ_AGAIN = 8
const ROWS_AT_ONCE = 500
/** Plans that a file without accounts has, too. */
const IN_FILE = 200
const FILE_DAYS = 30
const EVENTS_EACH = 30

interface Account {
  id: number
  external_id: string
  platform: 1 | 2 | 3
  plans: string[]
}
export interface Made {
  adv_id: number
  /** Of activities, the oldest first. */
  ids: number[]
  accounts: Account[]
  /** YYYY-MM-DD, the oldest first. */
  days: string[]
  plans: number
  /** Reads a day of an account again, with other numbers. */
  correct(account: Account, date: string): Promise<void>
  /** Links another plan of the platform, without reports, to the first activity. */
  addPlan(): Promise<void>
}

const random = randomBelow(11)
const nowS = () => Math.floor(Date.now() / 1000)

export async function makeActivities(opened: Opened, { activities, days }: { activities: number; days: number }) {
  const { postgres, services } = opened
  const { db } = postgres
  const adv_id = await services.advertisers.create(null, '投放')
  const yesterday = Date.now() - 86_400_000
  const dates = Array.from({ length: days }, (_, ago) =>
    new Date(yesterday - ago * 86_400_000).toISOString().slice(0, 10),
  ).reverse()
  const accounts = await makeAccounts(opened, adv_id, dates)
  const ids: number[] = []
  for (let from = 0; from < activities; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, activities - from) }, (_, at) => from + at)
    const made = await db
      .insertInto('campaign')
      .values(
        rows.map((no) => ({
          ...{
            adv_id,
            name: `活动${no} ${['春', '夏', '秋', '冬'][no % 4]}季上新`,
            product_id: null,
            auto_sync: 1 as const,
          },
          ...{ is_open: (no % 3 === 0 ? 0 : 1) as 0 | 1, submitted_at: no % 20 === 0 ? null : nowS(), last_day: null },
          ...{ creator_id: 1, created_at: nowS() - (activities - no) * 60, saved_by: 1, saved_at: nowS() },
        })),
      )
      .returning('id')
      .execute()
    ids.push(...made.map(({ id }) => id))
    const plans = rows.flatMap((no) =>
      Array.from({ length: 1 + (no % 3) }, (_, position) => {
        const account = accounts[random(ACCOUNTS)] as Account
        // Platforms give long numbers that grow.
        const plan_id = String(7_300_000_000_000_000 + no * 1000 + position * 37)
        account.plans.push(plan_id)
        return {
          ...{ campaign_id: ids[no] as number, position, name: `计划${no}-${position}`, platform: account.platform },
          ...{ account_id: account.id, plan_id, package_id: null, budget_mode: 'day' as const, budget: 50_000 },
          ...{ start_date: dates[0] ?? null, end_date: null, hours: null, is_open: 1 as const, created_at: nowS() },
        }
      }),
    )
    const linked = await db
      .insertInto('campaign_plan')
      .values(plans)
      .returning(['id', 'account_id', 'plan_id'])
      .execute()
    await db
      .insertInto('campaign_plan_there')
      .values(
        linked.map(({ id, account_id, plan_id }) => ({
          ...{ plan_id: id, account_id: account_id as number, there_id: plan_id as string, want_on: null },
          ...{ want_mode: null, want_budget: null, was_on: null, change_id: null, read_at: nowS() },
          found: JSON.stringify({ plan_id, name: '', is_on: true, status: 1, mode: 'day', budget: 50_000 }),
        })),
      )
      .execute()
  }
  let version = Date.now()
  const read = (account: Account, date: string) =>
    keepReading(opened.warehouse.load, {
      ...{ adv_id, account_id: account.external_id, date, version: ++version, taken_at: nowS() },
      plans: account.plans.map(aPlanDay),
    })
  for (const [at, date] of dates.entries()) {
    for (const account of accounts) {
      await read(account, date)
      if (at >= days - READ_AGAIN) await read(account, date)
    }
  }
  const all = accounts.flatMap(({ plans }) => plans)
  await importFile(opened, adv_id, all.slice(0, IN_FILE), dates.slice(-FILE_DAYS))
  await makeEvents(opened, adv_id, ids, dates)
  let added = 0
  const addPlan = async () => {
    const { id, platform } = accounts[0] as Account
    await db
      .insertInto('campaign_plan')
      .values({
        ...{ campaign_id: ids[0] as number, position: 10 + added, name: `新计划${added}`, platform, account_id: id },
        ...{ plan_id: String(7_200_000_000_000_000 + added++), package_id: null, budget_mode: 'day', budget: 50_000 },
        ...{ start_date: dates[0] ?? null, end_date: null, hours: null, is_open: 1, created_at: nowS() },
      })
      .execute()
  }
  return { adv_id, ids, accounts, days: dates, plans: all.length, correct: read, addPlan } satisfies Made
}

/** Every metric that a platform can report, each a number of its own. */
function aPlanDay(plan_id: string): PlanDay {
  const metrics = Object.fromEntries(REPORTED.map((key) => [key, BigInt(random(MAX_VALUE))]))
  return { campaign_id: '', plan_id, metrics }
}

async function makeAccounts({ postgres: { db } }: Opened, adv_id: number, dates: readonly string[]) {
  const accounts: Account[] = []
  for (let no = 0; no < ACCOUNTS; no++) {
    const platform = (1 + (no % 3)) as 1 | 2 | 3
    const external_id = String(18_000_000_000_000 + no)
    const { id } = await db
      .insertInto('platform_account')
      .values({ adv_id, platform, external_id, name: `账户${no}`, scope_list: '["all"]', authorised_at: nowS() })
      .returning('id')
      .executeTakeFirstOrThrow()
    accounts.push({ id, external_id, platform, plans: [] })
    await db.insertInto('report_account').values({ account_id: id, state: 'idle', synced_at: nowS() }).execute()
    await db
      .insertInto('report_read')
      .values(dates.map((date) => ({ account_id: id, date, is_due: false, version: 1, read_at: nowS() })))
      .execute()
  }
  return accounts
}

const METRICS = { 消耗: 'cost', 曝光: 'imp_pv', 点击: 'click_pv' } as const

async function importFile(opened: Opened, adv_id: number, plans: readonly string[], dates: readonly string[]) {
  const path = join(opened.dataDir, 'reports.csv')
  const file = createWriteStream(path)
  file.write(`日期,活动,计划,${Object.keys(METRICS).join(',')}\n`)
  for (const date of dates) {
    for (const plan of plans)
      file.write(`${date},春季,${plan},${random(100_000) / 100},${random(10_000)},${random(900)}\n`)
  }
  file.end()
  await once(file, 'close')
  const mapping: ReportsMapping = {
    ...{ kind: 'reports', date: '日期', campaign: '活动', plan: '计划' },
    metrics: Object.entries(METRICS).map(([column, metric]) => ({ column, metric })),
  }
  const id = await opened.services.imports.startFile(adv_id, path, mapping)
  const { report, error } = await opened.services.imports.wait(id, new AbortController().signal, () => {})
  if (!report) throw new Error(error ?? 'the import failed')
}

const EVENTS: Record<string, { standard: StandardEvent; amount: string | null; goods: null }> = {
  到访: { standard: 'land', amount: null, goods: null },
  领券: { standard: 'coupon_take', amount: null, goods: null },
  核销: { standard: 'coupon_use', amount: null, goods: null },
  付款: { standard: 'pay', amount: 'fee', goods: null },
}

/** Events of people who came through the activities. */
async function makeEvents(
  { warehouse, postgres }: Opened,
  adv_id: number,
  ids: readonly number[],
  dates: readonly string[],
) {
  const names = Object.keys(EVENTS)
  await postgres.db
    .insertInto('event_name')
    .values(
      names.map((name) => ({
        ...{ adv_id, name, display_name: name, properties: '["fee"]' },
        meaning: JSON.stringify(EVENTS[name]),
      })),
    )
    .execute()
  const first = Date.parse(`${dates[0]}T00:00:00+08:00`)
  await warehouse.load.acrossShards.command(
    `INSERT INTO event (adv_id, bucket, uid, ts, name, title, properties, campaign_id, row_id)
     SELECT ${adv_id}, 0, 1 + cityHash64(number, 1) % 100000,
       fromUnixTimestamp64Milli(toInt64(${first} + cityHash64(number, 2) % ${dates.length * 86_400_000}), 'UTC'),
       ['${names.join("','")}'][1 + cityHash64(number, 3) % ${names.length}], '',
       map('fee', toString(cityHash64(number, 4) % 10000 / 100)),
       toString(${ids[0]} + cityHash64(number, 5) % ${ids.length}), number
     FROM numbers(${ids.length * EVENTS_EACH})`,
  )
}
