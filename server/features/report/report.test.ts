import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { listActivities } from '#contract/activity-list.ts'
import { revokeAuthorisation } from '#contract/authorisation.ts'
import { getDayReport } from '#contract/day-report.ts'
import { FAULTS } from '#contract/errors.ts'
import { outcome } from '#contract/outcome.ts'
import * as contract from '#contract/report.ts'
import { saveWebhook } from '#contract/webhook.ts'
import { platformDayOf } from '../../platforms/platform-day.ts'
import { transaction } from '../../postgres/transaction.ts'
import { reportSums } from '../../reports/sums.ts'
import { anActivity, aPlan, aReading } from '../../testing/activities.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { plansOnPlatforms } from '../../testing/plans-on-platforms.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../../testing/platforms.ts'
import { anAuthorisedAccount, authorise } from '../../testing/push.ts'
import { dayAfter } from './days.ts'

const robot = await openRobot()
const { app, sandbox } = await testAppWithSandbox({ WEBHOOK_ALLOW: robot.url, PUBLIC_URL: 'https://console.test' })
const { db } = app.stores.postgres
const DAY = 86_400
const REPORTS = { platform: 'social', path: 'daily_reports/get' }
const today = platformDayOf(Date.now() / 1000)
const daysAgo = (days: number) => dayAfter(today, -days)

let adv_id: number
let account: number
let external: string
let plans: string[]
let taken = 0
beforeEach(async () => {
  await app.reset()
  await sandbox.control('switches/reset', {})
  await sandbox.control('switches', { video_advertiser_qps: 0, video_application_qps: 0, social_report_rows: 0 })
  await sandbox.control('faults/forget', {})
  adv_id = await anAdvertiser(app)
  const { id } = await sandbox.control<{ id: string }>('accounts', {
    ...{ platform: 'social', login_id: '880001', name: `账户${++taken}` },
  })
  external = id
  account = await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, external)
  plans = (await rowsThere(daysAgo(7), today)).map(({ adgroup_id }) => adgroup_id)
  plans = [...new Set(plans)].toSorted()
})

const BY_PLAN = { level: 'REPORT_LEVEL_ADGROUP', group_by: '["date","adgroup_id"]' }
const OF_ACCOUNT = { level: 'REPORT_LEVEL_ADVERTISER', group_by: '["date"]' }

/** The stand-in's own numbers, of ad groups unless told, in fen. */
async function rowsThere(from: string, to: string, grouping = BY_PLAN) {
  const { access_token } = await sandbox.control<{ access_token: string }>('tokens', {
    ...{ platform: 'social', account_ids: [external] },
  })
  type Row = { date: string; adgroup_id: string; cost: number; view_count: number; conversions_count: number }
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const url = new URL(`${sandbox.socialUrl}/v3.0/daily_reports/get`)
    url.search = new URLSearchParams({
      ...{ access_token, timestamp: String(Math.floor(Date.now() / 1000)), nonce: Math.random().toString(16).slice(2) },
      ...{ account_id: external, ...grouping },
      ...{ page: String(page), page_size: '2000' },
      date_range: JSON.stringify({ start_date: from, end_date: to }),
      fields: '["cost","view_count","conversions_count"]',
    }).toString()
    const text = await (await fetch(url)).text()
    const quoted = text.replaceAll(/"adgroup_id":(\d+)/g, '"adgroup_id":"$1"')
    const { list } = (JSON.parse(quoted) as { data: { list: Row[] } }).data
    rows.push(...list)
    if (list.length < 2000) return rows
  }
}

const anLinkedActivity = (given: object = {}) =>
  anActivity(app, adv_id, {
    submit: false,
    plans: plans.map((plan_id) => aPlan({ platform: SOCIAL, account_id: account, plan_id, start_date: null })),
    ...given,
  })
const sync = (body: object = { account_id: account }) => app.admin.get(contract.syncReports, { body: body as never })
const stateOf = async (query: object = { adv_id }) =>
  (await app.admin.get(contract.getReportSync, { query: query as never })).list
const synced = async (body?: object) => {
  await sync(body)
  await app.settled()
}
const stored = async (from = daysAgo(40), to = today) =>
  (await reportSums(app.stores.warehouse.live.acrossShards, { adv_id, from, to }, ['day', 'plan'])).map(
    ({ date, plan_id, sums }) => ({ date, plan_id, cost: sums.cost, imp_pv: sums.imp_pv }),
  )
/** The stand-in's rows as they must be stored; of days that are over, since today grows. */
const expected = async (from: string, to = daysAgo(1)) =>
  (await rowsThere(from, to))
    .map((row) => ({
      date: row.date,
      plan_id: row.adgroup_id,
      cost: BigInt(row.cost) * 10_000n,
      imp_pv: BigInt(row.view_count),
    }))
    .toSorted((one, other) => (one.date + one.plan_id < other.date + other.plan_id ? -1 : 1))
const calls = async () =>
  (await sandbox.control<{ path: string; account_id: string }[]>('calls')).filter(
    (call) => call.path.includes('daily_reports') && call.account_id === external,
  ).length
/** Moves the whole deployment on by some days, as far as the records and the stand-in know. */
async function asIfRead(daysAgo: number) {
  await db
    .updateTable('report_read')
    .set((eb) => ({ read_at: eb('read_at', '-', daysAgo * DAY) }))
    .execute()
}

describe('reading an account', () => {
  test('stores thirty days at first, with the platform’s own numbers, and says how it stands', async () => {
    await anLinkedActivity()
    expect(await stateOf()).toMatchObject([{ account_id: account, state: 'idle', synced_at: null, complete_to: null }])
    const { list } = await sync()
    expect(list).toMatchObject([{ account_id: account, state: 'waiting', missing_days: 30, is_auto: true }])
    await app.settled()
    expect(await stored(daysAgo(29), daysAgo(1))).toEqual(await expected(daysAgo(29)))
    expect(await stateOf()).toMatchObject([
      {
        ...{ state: 'idle', fail_outcome: null, missing_days: 0, complete_to: daysAgo(1), failed_at: null },
        synced_at: expect.any(Number),
        next_at: expect.any(Number),
      },
    ])
  })

  test('what the account has on days on which a plan is not listed is no plan’s, and is said', async () => {
    await sandbox.control('report-plans', { account_id: external, count: 20 })
    await anLinkedActivity()
    await synced()
    const conversions = Map.groupBy(await rowsThere(daysAgo(29), daysAgo(1)), ({ date }) => date)
    const late = (await rowsThere(daysAgo(29), daysAgo(1), OF_ACCOUNT))
      .filter(({ date, conversions_count }) => {
        const own = conversions.get(date) ?? []
        return conversions_count > own.reduce((sum, row) => sum + row.conversions_count, 0)
      })
      .map(({ date }) => date)
      .toSorted()
    expect(late.length).toBeGreaterThan(0)
    const metrics = ['留资次数', '转化数']
    expect(await stateOf()).toMatchObject([
      {
        fail_outcome: null,
        rest_outcome: outcome('report_day_rest', { date: late.at(-1) ?? '', metrics, days: late.length }),
      },
    ])
  })

  test('numbers of the list are the platform’s own', async () => {
    const id = await anLinkedActivity()
    await synced({ campaign_id: id })
    const second = (date: string) => Date.parse(`${date}T00:00:00+08:00`) / 1000
    const time_range = `${second(daysAgo(7))},${second(daysAgo(1))}`
    const { list } = await app.admin.get(listActivities, { query: { time_range } as never })
    const rows = await rowsThere(daysAgo(7), daysAgo(1))
    const sum = (key: 'cost' | 'view_count' | 'conversions_count') => rows.reduce((all, row) => all + row[key], 0)
    expect(list[0]).toMatchObject({
      ...{ cost: sum('cost'), imp_pv: sum('view_count'), covert_cnt: sum('conversions_count') },
      gdt_cost: sum('cost'),
    })
    const report = await app.admin.get(getDayReport, { query: { campaign_id: id, time_range } as never })
    for (const day of report.list) {
      const own = rows.filter(({ date }) => date === day.date)
      expect(day.cost ?? 0).toBe(own.reduce((all, row) => all + row.cost, 0))
    }
  })

  test.each([
    [VIDEO, '770001', 'ADVERTISER'],
    [COMMERCE, '770001', 'QIANCHUAN'],
  ] as const)('of platform %i too', async (platform, login_id, kind) => {
    const { id } = await sandbox.control<{ id: string }>('accounts', {
      ...{ platform: 'video', login_id, name: '账户', kind },
    })
    const other = await anAuthorisedAccount(app, sandbox, adv_id, platform, id)
    await synced({ account_id: other })
    const rows = await stored()
    expect(new Set(rows.map(({ date }) => date)).size).toBe(30)
    expect(rows).toHaveLength(90)
    expect(rows.some(({ cost }) => (cost ?? 0n) > 0n)).toBe(true)
  })

  test('asked for twice at once is one reading, and repeated it doubles nothing', async () => {
    await Promise.all([sync(), sync(), sync()])
    await app.settled()
    const once = await calls()
    const rows = await stored(daysAgo(29), daysAgo(1))
    await synced()
    expect(await stored(daysAgo(29), daysAgo(1))).toEqual(rows)
    // Six runs of days with two calls for the sums and one for the rows each, and the test's own; then two runs.
    expect(once).toBeLessThanOrEqual(18 + 1)
    expect((await calls()) - once).toBeLessThanOrEqual(6)
  })

  test('reads a week again, and what is missing since the last whole day', async () => {
    await synced()
    await db.deleteFrom('report_read').where('date', '>', daysAgo(15)).execute()
    expect((await sync()).list[0]?.missing_days).toBe(15)
    await app.settled()
    expect((await sync()).list[0]?.missing_days).toBe(8)
    await app.settled()
  })
})

test('who asks for the reports has the plans read, too, and once however often it is asked for', async () => {
  const [account_id, name] = [external, '平台计划']
  const { id: plan_id } = await sandbox.control<{ id: string }>('plans', {
    ...{ platform: 'social', account_id, name, is_on: true, budget: 50_000 },
  })
  const package_id = await plansOnPlatforms(app, sandbox, () => adv_id).aStoredPackage(account, SOCIAL)
  const id = await anActivity(app, adv_id, {
    plans: [aPlan({ platform: SOCIAL, account_id: account, plan_id, package_id })],
  })
  await app.settled()
  const planCalls = async () =>
    (await sandbox.control<{ path: string; account_id: string }[]>('calls')).filter(
      (call) => call.path.includes('adgroups/get') && call.account_id === external,
    ).length
  await sandbox.control('plans/set', { platform: 'social', id: plan_id, budget: 70_000 })
  await synced({ campaign_id: id })
  expect(await stateOf()).toMatchObject([{ plans_read_at: expect.any(Number), synced_at: expect.any(Number) }])
  const kept = await db.selectFrom('campaign_plan_there').select('found').executeTakeFirstOrThrow()
  expect(kept.found?.budget).toEqual({ mode: 'day', fen: 70_000 })
  const before = await planCalls()
  await transaction(db, async (tx) => {
    for (let time = 0; time < 3; time++) await app.services.activities.there.readPlans(tx, [account])
  })
  await app.settled()
  expect((await planCalls()) - before).toBe(1)
})

describe('what goes wrong', () => {
  test.each([
    ['an unavailable report', { kind: 'busy', code: 51001 }],
    ['a throttled call', { kind: 'throttle', code: 64016 }],
    ['an error page', { kind: 'error', status: 502 }],
    ['a broken connection', { kind: 'drop_after' }],
    ['a page of another page', { kind: 'repeat_page' }],
    ['a lost page', { kind: 'lose_page' }],
  ])('%s is read again, and no row is lost or doubled', async (_, fault) => {
    await sandbox.control('report-plans', { account_id: external, count: 320 })
    const whole = await expected(daysAgo(7))
    for (const after of [1, 3]) {
      await sandbox.control('faults', { ...REPORTS, account_id: external, after, ...fault })
      await synced()
      expect(await stored(daysAgo(7), daysAgo(1))).toEqual(whole)
    }
    expect(await stateOf({ adv_id })).toEqual([])
  })

  test('a platform that never answers is left until the next reading, with the reason', async () => {
    await anLinkedActivity()
    await sandbox.control('faults', { ...REPORTS, account_id: external, kind: 'busy', code: 51001, times: 1000 })
    await sync()
    await expect
      .poll(async () => (await stateOf())[0]?.fail_outcome, { timeout: 20_000 })
      .toMatchObject({ code: 'report_tries_again', params: { cause: { code: 'platform_refused' } } })
    // As if it had failed for an hour.
    await db.updateTable('report_account').set({ attempts: 12 }).execute()
    await expect
      .poll(async () => (await stateOf())[0], { timeout: 20_000 })
      .toMatchObject({ state: 'failed', fail_outcome: { code: 'platform_refused' }, failed_at: expect.any(Number) })
    await sandbox.control('faults/forget', {})
    await synced()
    expect(await stateOf()).toMatchObject([{ state: 'idle', fail_outcome: null, failed_at: null }])
    expect(await stored(daysAgo(29), daysAgo(1))).toEqual(await expected(daysAgo(29)))
  })

  test('a revoked account pauses with the reason, and catches up alone once it is authorised again', async () => {
    await anLinkedActivity()
    await synced()
    await db.deleteFrom('report_read').where('date', '>', daysAgo(12)).execute()
    await sandbox.control('tokens/revoke', { platform: 'social', account_id: external })
    await synced()
    expect(await stateOf()).toMatchObject([
      {
        ...{ state: 'paused', next_at: null, missing_days: 12 },
        fail_outcome: { code: 'report_waits_for_authorisation', params: { cause: { code: 'account_closed' } } },
      },
    ])
    await authorise(app, sandbox, account)
    await transaction(db, (tx) => app.services.accounts.authorised(tx, account))
    await app.settled()
    expect(await stateOf()).toMatchObject([{ state: 'idle', fail_outcome: null, complete_to: daysAgo(1) }])
    expect(await stored(daysAgo(29), daysAgo(1))).toEqual(await expected(daysAgo(29)))
  })

  test('an account whose authorisation was taken back here is not asked about', async () => {
    await anLinkedActivity()
    await app.admin.get(revokeAuthorisation, { params: { id: account } })
    const asked = await calls()
    await synced()
    expect(await calls()).toBe(asked)
    expect((await stateOf())[0]).toMatchObject({
      ...{ state: 'paused', synced_at: null },
      fail_outcome: { code: 'report_waits_for_authorisation', params: { cause: { code: 'account_closed' } } },
    })
  })

  test('an account that nobody authorised so far says so, and waits for its first reading once somebody does', async () => {
    await anLinkedActivity()
    await db.updateTable('platform_account').set({ login_id: null, authorised_at: null }).execute()
    expect(await stateOf()).toMatchObject([
      { state: 'paused', next_at: null, fail_outcome: { code: 'report_never_authorised' } },
    ])
    await authorise(app, sandbox, account)
    await transaction(db, (tx) => app.services.accounts.authorised(tx, account))
    expect(await stateOf()).toMatchObject([{ state: 'waiting', synced_at: null, missing_days: 30, fail_outcome: null }])
    await app.settled()
  })

  test('a platform that refuses reports alone leaves the account authorised', async () => {
    await anLinkedActivity()
    await db
      .updateTable('platform_account')
      .set({ scope_list: '["audience_management"]' })
      .where('id', '=', account)
      .execute()
    await synced()
    expect(await stateOf()).toMatchObject([
      { state: 'paused', fail_outcome: { code: 'report_waits_for_authorisation' } },
    ])
    const row = await db
      .selectFrom('platform_account')
      .select('auth_error')
      .where('id', '=', account)
      .executeTakeFirst()
    expect(row?.auth_error).toBeNull()
  })

  test('a reading in force is never replaced by an older one', async () => {
    await synced()
    const rows = await stored(daysAgo(29), daysAgo(1))
    const versions = await db.selectFrom('report_read').select('version').execute()
    await db.deleteFrom('report_account').execute()
    await synced()
    const later = await db.selectFrom('report_read').select('version').execute()
    const most = Math.max(...versions.map(({ version }) => version ?? 0))
    expect(Math.min(...later.map(({ version }) => version ?? 0))).toBeGreaterThan(most)
    expect(await stored(daysAgo(29), daysAgo(1))).toEqual(rows)
  })
})

describe('marks', () => {
  const marksOf = async (id: number) =>
    (await app.admin.get(contract.listDayMarks, { query: { campaign_id: id } as never })).list

  test('a day that was not read is 未同步, until it is', async () => {
    const id = await anLinkedActivity()
    const unsynced = async () => (await marksOf(id)).filter(({ mark }) => mark === 'unsynced').map(({ date }) => date)
    expect(await unsynced()).toHaveLength(29)
    await synced()
    expect(await unsynced()).toEqual([])
    await asIfRead(3)
    // Read before their ends.
    expect(await unsynced()).toEqual([daysAgo(3), daysAgo(2), daysAgo(1)])
    const { list } = await app.admin.get(contract.listReportMarks, { query: { campaign_id: String(id) } as never })
    expect(list.find(({ mark }) => mark === 'unsynced')).toMatchObject({
      ...{ campaign_id: id, days: 3 },
      latest: { date: daysAgo(1), mark_outcome: { code: 'report_day_unsynced' } },
    })
  })

  test('a day of the activity is 未同步 also where the missing account’s own plan starts later', async () => {
    const { id: external_id } = await sandbox.control<{ id: string }>('accounts', {
      ...{ platform: 'social', login_id: '880001', name: '晚开始的账户' },
    })
    const later = await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, external_id)
    const planOf = (account_id: number, plan_id: string, start_date: string) =>
      aPlan({ platform: SOCIAL, account_id, plan_id, start_date })
    const id = await anLinkedActivity({
      plans: [planOf(account, plans[0] as string, daysAgo(20)), planOf(later, '123456', daysAgo(5))],
    })
    await synced()
    const marks = await marksOf(id)
    expect(marks.filter(({ mark }) => mark === 'unsynced').map(({ date }) => date)).toEqual(
      Array.from({ length: 20 }, (_, at) => daysAgo(20 - at)),
    )
    await synced({ account_id: later })
    expect((await marksOf(id)).filter(({ mark }) => mark === 'unsynced')).toEqual([])
  })

  test('a day that the platform changed after it was read is 平台修正', async () => {
    const id = await anLinkedActivity()
    await synced()
    const earlier = await stored(daysAgo(6), daysAgo(1))
    expect((await marksOf(id)).filter(({ mark }) => mark === 'corrected')).toEqual([])
    await sandbox.control('clock', { advance: 3 * DAY })
    await authorise(app, sandbox, account)
    await synced()
    const later = await stored(daysAgo(6), daysAgo(1))
    expect(later).not.toEqual(earlier)
    const dates = new Set(later.filter((row, at) => row.cost !== earlier[at]?.cost).map(({ date }) => date))
    const marks = (await marksOf(id)).filter(({ mark }) => mark === 'corrected')
    expect(marks.map(({ date }) => date)).toEqual(expect.arrayContaining([...dates]))
    expect(marks[0]?.mark_outcome.code).toBe('report_day_corrected')
    expect(marks.every(({ date }) => date >= daysAgo(7) && date < today)).toBe(true)
    await sandbox.control('clock', { advance: -3 * DAY })
  })

  test('a day whose last reading did not add up says so, and whether an earlier one is shown', async () => {
    const id = await anLinkedActivity()
    await synced()
    const differs = (date: string) => ({ outcome: outcome('report_sums_differ', { date, metric: '消耗' }) })
    const day = (date: string) => db.updateTable('report_read').where('date', '=', date)
    await day(daysAgo(2))
      .set(differs(daysAgo(2)))
      .execute()
    await day(daysAgo(1))
      .set({ ...differs(daysAgo(1)), version: null })
      .execute()
    const unsynced = (list: contract.ReportMark[]) => list.filter(({ mark }) => mark === 'unsynced')
    expect(
      unsynced(await marksOf(id)).map(({ date, mark_outcome: { code, params } }) => [date, code, params.is_kept]),
    ).toEqual([
      [daysAgo(2), 'report_day_refused', true],
      [daysAgo(1), 'report_day_refused', false],
    ])
    const viewer = await app.viewer('别人', [adv_id])
    await db.updateTable('viewer').set({ see_restricted: false }).where('username', '=', '别人').execute()
    const { list } = await viewer.get(contract.listDayMarks, { query: { campaign_id: id } as never })
    expect(unsynced(list).map(({ mark_outcome }) => mark_outcome.code)).toEqual([
      ...['report_day_unsynced', 'report_day_unsynced'],
    ])
    await synced()
    expect(unsynced(await marksOf(id))).toEqual([])
  })

  test('impressions, clicks and conversions jump like costs, beyond the changes of small numbers', async () => {
    const plan = aPlan({ platform: SOCIAL, account_id: account, plan_id: '5', start_date: null })
    const id = await anActivity(app, adv_id, { submit: false, plans: [plan] })
    const usual = { cost: 90_000_000n, imp_pv: 20_000n, click_pv: 500n, covert_cnt: 3n }
    for (let days = 8; days >= 2; days--) {
      await aReading(app, adv_id, external, daysAgo(days), [{ plan_id: '5', metrics: usual }])
    }
    const odd = { cost: 91_000_000n, imp_pv: 70_000n, click_pv: 100n, covert_cnt: 12n }
    await aReading(app, adv_id, external, daysAgo(1), [{ plan_id: '5', metrics: odd }])
    expect((await marksOf(id)).filter(({ mark }) => mark === 'jump')).toEqual([
      {
        ...{ date: daysAgo(1), mark: 'jump' },
        mark_outcome: outcome('report_day_jump', {
          jumps: [
            { metric: '曝光量', value: '70,000', usual: '20,000' },
            { metric: '点击量', value: '100', usual: '500' },
          ],
        }),
      },
    ])
  })

  test('rows of a file that name no account jump, too, as the list shows them', async () => {
    const plan = aPlan({ platform: SOCIAL, account_id: account, plan_id: '5', start_date: null })
    const id = await anActivity(app, adv_id, { submit: false, plans: [plan] })
    const rows = [8, 7, 6, 5, 4, 3, 2, 1].map((days) => ({
      ...{ adv_id, account_id: '', date: daysAgo(days), version: 1, source: 'file', campaign_id: 'c', plan_id: '5' },
      ...{ metrics: { imp_pv: days === 1 ? '90000' : '20000' }, is_empty: 0, taken_at: 0, import_id: 1 },
    }))
    await app.stores.warehouse.load.acrossShards.insert('report_day', rows)
    expect((await marksOf(id)).filter(({ mark }) => mark === 'jump')).toEqual([
      {
        ...{ date: daysAgo(1), mark: 'jump' },
        mark_outcome: outcome('report_day_jump', { jumps: [{ metric: '曝光量', value: '90,000', usual: '20,000' }] }),
      },
    ])
  })

  test('viewers without restricted metrics learn nothing of costs', async () => {
    const id = await anLinkedActivity()
    await synced()
    const all = await marksOf(id)
    expect(all.some(({ mark }) => mark === 'jump')).toBe(true)
    const viewer = await app.viewer('别人', [adv_id])
    await db.updateTable('viewer').set({ see_restricted: false }).where('username', '=', '别人').execute()
    const { list } = await viewer.get(contract.listDayMarks, { query: { campaign_id: id } as never })
    expect(list.filter(({ mark }) => mark !== 'unsynced')).toEqual([])
  })
})

describe('the daily reading', () => {
  const daily = async () => {
    await transaction(db, (tx) => app.stores.jobs.send(tx, 'report.daily', {}))
    await expect
      .poll(async () => (await db.selectFrom('report_account').select('state').execute()).length)
      .toBeLessThan(9)
  }
  const asked = async () => {
    await daily()
    await new Promise((done) => setTimeout(done, 1500))
    return (await db.selectFrom('report_account').select('account_id').execute()).map((row) => row.account_id)
  }

  test('asks for accounts that an activity wishes to be read, and for no other', async () => {
    const other = await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, '9007199254750005')
    await anLinkedActivity({ auto_sync: 0 })
    expect(await stateOf()).toMatchObject([{ is_auto: false, next_at: null }])
    expect(await asked()).toEqual([])
    const plan = aPlan({ platform: SOCIAL, account_id: other, plan_id: '77', start_date: null })
    await anActivity(app, adv_id, { submit: false, auto_sync: 1, plans: [plan] })
    expect(await asked()).toEqual([other])
    // At once, instead of within half an hour.
    await synced({ account_id: other })
  })

  test('reads the last month again in the first morning of a week, and in no other', async () => {
    await anLinkedActivity()
    await synced()
    const missing = async () => (await stateOf()).map(({ state, missing_days }) => [state, missing_days])
    await asIfRead(8)
    await daily()
    await expect.poll(missing).toEqual([['waiting', 31]])
    await synced()
    expect(await missing()).toEqual([['idle', 0]])
    await daily()
    await expect.poll(missing).toEqual([['waiting', 8]])
    await synced()
  })

  test('is asked for at six by the deployment’s clock', async () => {
    const { rows } = await sql`select cron, timezone from pgboss.schedule where name = 'report.daily'`.execute(db)
    expect(rows).toEqual([{ cron: '0 6 * * *', timezone: 'Asia/Shanghai' }])
  })
})

describe('webhooks', () => {
  test('are told once of each odd day of the last week, and of no number', async () => {
    const id = await anLinkedActivity({ name: '秋季促销' })
    await app.admin.get(saveWebhook, {
      body: { adv_id, kind: 'json', url: `${robot.url}/reports`, events: ['report'] },
    })
    await app.admin.get(saveWebhook, { body: { adv_id, kind: 'json', url: `${robot.url}/pushes`, events: ['push'] } })
    const tell = async () => {
      await transaction(db, (tx) => app.stores.jobs.send(tx, 'report.tell', {}))
      await app.settled()
    }
    await tell()
    const marks = Array.from({ length: 7 }, (_, at) => ({ date: daysAgo(7 - at), mark: 'unsynced' }))
    expect(robot.received).toEqual([
      {
        path: '/reports',
        body: {
          ...{
            event: 'report.marked',
            title: '报表异常',
            kind: 'report',
            adv_id,
            campaign_id: id,
            campaign: '秋季促销',
          },
          ...{ marks, at: expect.any(Number) },
          link: `https://console.test/campaign-manage/day-report?campaign_id=${id}`,
        },
      },
    ])
    await tell()
    expect(robot.received).toHaveLength(1)
    await db.updateTable('campaign').set({ auto_sync: 0 }).execute()
    await db.deleteFrom('report_told').execute()
    await tell()
    expect(robot.received).toHaveLength(1)
  })
})

describe('calls', () => {
  test('of strangers and without sense are refused', async () => {
    const stranger = await app.viewer('陌生人', [await anAdvertiser(app)])
    const id = await anLinkedActivity()
    for (const body of [{ account_id: account }, { campaign_id: id }]) {
      expect(await stranger.call(contract.syncReports, { body })).toMatchObject({ code: FAULTS.notFound.code })
    }
    expect(await stranger.call(contract.syncReports, { body: { adv_id } })).toMatchObject({
      code: FAULTS.notMember.code,
    })
    expect((await app.admin.call(contract.syncReports, { body: {} as never })).code).toBe(FAULTS.badInput.code)
    const both = { account_id: account, campaign_id: id }
    expect((await app.admin.call(contract.syncReports, { body: both })).code).toBe(FAULTS.badInput.code)
    const local = await anActivity(app, adv_id, { submit: false })
    expect(await app.admin.call(contract.syncReports, { body: { campaign_id: local } })).toMatchObject({
      outcome: { code: 'report_no_linked_plans' },
    })
    const marks = { query: { campaign_id: String(id) } as never }
    expect((await stranger.get(contract.listReportMarks, marks)).list).toEqual([])
    expect(await db.selectFrom('report_account').selectAll().execute()).toEqual([])
  })
})

describe('plans of reports that no activity has', () => {
  const MICROS = 1_000_000n
  const unlinked = (query: object = {}, caller = app.admin) =>
    caller.get(contract.listUnlinkedPlans, { query: { adv_id, ...query } as never })
  const aDay = (date: string, plan_id: string, yuan: bigint, account_id = external) =>
    aReading(app, adv_id, account_id, date, [
      { plan_id, campaign_id: `活动 ${plan_id}`, metrics: { cost: yuan * MICROS, imp_pv: 5n } },
    ])

  test('are listed with their account, days and cost until an activity has them', async () => {
    await aDay(daysAgo(3), '71', 20n)
    await aDay(daysAgo(2), '71', 5n)
    await aDay(daysAgo(1), '72', 30n)
    await aDay(daysAgo(1), '73', 1n, '404')
    const own = { account: external, account_id: account, platform: SOCIAL, account_name: expect.any(String) }
    const first = { ...own, plan: '72', campaign: '活动 72', first_day: daysAgo(1), last_day: daysAgo(1), days: 1 }
    const second = { ...own, plan: '71', campaign: '活动 71', first_day: daysAgo(3), last_day: daysAgo(2), days: 2 }
    const foreign = { account: '404', account_id: null, account_name: null, platform: null, plan: '73', cost: 100 }
    expect(await unlinked()).toEqual({
      list: [{ ...first, cost: 3000 }, { ...second, cost: 2500 }, expect.objectContaining(foreign)],
      ...{ total: 3, plans: 3 },
    })
    expect(await unlinked({ page: 2, page_size: 2 })).toMatchObject({ list: [foreign], total: 3 })
    expect((await unlinked({ account_id: account })).list.map(({ plan }) => plan)).toEqual(['72', '71'])
    const before = Math.floor(Date.now() / 1000) - 2 * DAY
    expect((await unlinked({ time_range: `${before - 3 * DAY},${before}` })).list.map(({ plan }) => plan)).toEqual([
      '71',
    ])

    const plan = aPlan({ platform: SOCIAL, account_id: account, plan_id: '72', start_date: null })
    await anActivity(app, adv_id, { submit: false, plans: [plan] })
    expect((await unlinked()).list.map(({ plan: id }) => id)).toEqual(['71', '73'])
  })

  test('are not told to members of other advertisers, and their cost not to viewers without restricted metrics', async () => {
    await aDay(daysAgo(1), '71', 20n)
    const other = await anAdvertiser(app)
    const stranger = await app.viewer('stranger', [other])
    expect(await stranger.call(contract.listUnlinkedPlans, { query: { adv_id } })).toMatchObject({
      code: FAULTS.notMember.code,
    })
    expect((await stranger.get(contract.listUnlinkedPlans, { query: { adv_id: other } })).total).toBe(0)
    const theirs = { query: { adv_id: other, account_id: account } }
    expect((await stranger.call(contract.listUnlinkedPlans, theirs)).code).toBe(FAULTS.notFound.code)
    const member = await app.viewer('member', [adv_id])
    expect((await unlinked({}, member)).list).toMatchObject([{ plan: '71', cost: null }])
    // In the order of costs, plans with costs of his own would tell him the others.
    await aDay(daysAgo(2), '70', 10n)
    await aDay(daysAgo(3), '69', 30n)
    expect((await unlinked({}, member)).list.map(({ plan }) => plan)).toEqual(['71', '70', '69'])
  })
})

/** A receiver of webhooks. */
async function openRobot() {
  const received: { path: string | undefined; body: unknown }[] = []
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) })
    answer.end()
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  afterAll(() => server.close())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
