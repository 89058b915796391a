import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { METRIC_KEYS, SHORT_METRICS } from '#contract/activity/metrics.ts'
import { chooseColumns, getColumns } from '#contract/activity-columns.ts'
import { ACTIVITY_EXPORT_PATH } from '#contract/activity-export.ts'
import { compareActivities, listActivities, totalActivities } from '#contract/activity-list.ts'
import type { SavedPlan } from '#contract/activity-plan.ts'
import { listActivityTrends } from '#contract/activity-trends.ts'
import { getDayReport } from '#contract/day-report.ts'
import { FAULTS } from '#contract/errors.ts'
import { startImport } from '#contract/import.ts'
import { listDayMarks, listReportMarks, listUnlinkedPlans } from '#contract/report.ts'
import { makeReportLink, openReportLink } from '#contract/report-link.ts'
import { updateEvent } from '#contract/tag-field.ts'
import { listViewers, updateViewer } from '#contract/viewer.ts'
import { anActivity, aPlan, aReading } from '../../testing/activities.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { COMMERCE } from '../../testing/platforms.ts'
import { aPackage, aTargetingAccount, externalIdOf } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
const { db } = app.stores.postgres
afterAll(() => app.close())

let adv_id: number
let shop: number
let package_id: number
let external: string
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  shop = await aTargetingAccount(app, adv_id, COMMERCE)
  package_id = await aPackage(app, shop)
  external = await externalIdOf(app, shop)
})

const plan = (given: Partial<SavedPlan> = {}) => aPlan({ platform: COMMERCE, account_id: shop, package_id, ...given })

/** The days of March 2026 as a call takes them. */
const march = (from: number, to: number) => {
  const second = (day: number) => Date.UTC(2026, 2, day) / 1000 - 8 * 3600
  return `${second(from)},${second(to + 1) - 1}`
}
const MARCH = march(1, 31)
const list = async (query: object = {}) =>
  (await app.admin.get(listActivities, { query: { time_range: MARCH, ...query } as never })).list
const total = (query: object = {}) =>
  app.admin.get(totalActivities, { query: { time_range: MARCH, ...query } as never })

test('a plan has the numbers of the platform’s plan that it names; activity and totals are their sums', async () => {
  const id = await anActivity(app, adv_id, {
    name: '双11',
    plans: [plan({ name: '甲', plan_id: '1' }), plan({ name: '乙', plan_id: '2' }), plan({ name: '丙' })],
  })
  await anActivity(app, adv_id, { name: '双12', plans: [plan({ plan_id: '3' })] })
  // A third of a fen each: rounded only after summing.
  await aReading(app, adv_id, external, '2026-03-01', [
    { plan_id: '1', metrics: { cost: 1_003_333n, imp_pv: 1000n, click_pv: 25n } },
    { plan_id: '2', metrics: { cost: 2_003_333n, imp_pv: 3000n } },
    { plan_id: '3', metrics: { cost: 5_003_334n, imp_pv: 0n } },
    { plan_id: 'not ours', metrics: { cost: 9_000_000n } },
  ])
  await aReading(app, adv_id, external, '2026-03-02', [{ plan_id: '1', metrics: { cost: 10_000_000n, imp_pv: 500n } }])
  await aReading(app, adv_id, 'another account', '2026-03-02', [{ plan_id: '1', metrics: { cost: 7_000_000n } }])
  await aReading(app, adv_id, external, '2026-04-01', [{ plan_id: '1', metrics: { cost: 7_000_000n } }])

  const [, first] = await list()
  expect(first).toMatchObject({ id, name: '双11', campaign_mold: 1, cost: 1301, imp_pv: 4500, click_pv: 25 })
  expect(first?.children.map((one) => [one.name, one.is_local, one.cost, one.imp_pv, one.click_pv])).toEqual([
    ['甲', false, 1100, 1500, 25],
    ['乙', false, 200, 3000, null],
    ['丙', true, null, null, null],
  ])
  // 25 / 4500, and 13.006666 yuan × 1000 / 4500.
  expect([first?.click_rate, first?.cpm_platform, first?.land_pv, first?.budget]).toEqual([0.0056, 289, null, 150_000])
  const { sums, plans, total: count } = await total()
  expect([count, plans, sums.cost, sums.imp_pv, sums.budget]).toEqual([2, 4, 1801, 4500, 200_000])
  expect((await total({ time_range: march(2, 2) })).sums.cost).toBe(1000)
  expect((await total({ id: String(id) })).sums.cost).toBe(1301)
})

test('rows of files without an account are those of the first plan with their number, whatever a filter finds', async () => {
  const other = await aTargetingAccount(app, adv_id, COMMERCE)
  const theirs = plan({ name: '另一个账户的', account_id: other, package_id: await aPackage(app, other), plan_id: '1' })
  const first = await anActivity(app, adv_id, { name: '双11', plans: [plan({ plan_id: '1' })] })
  const second = await anActivity(app, adv_id, { name: '双12', plans: [theirs, plan({ plan_id: '2' })] })
  const row = (plan_id: string, cost: string) => ({
    ...{ adv_id, account_id: '', date: '2026-03-01', version: 1, source: 'file', campaign_id: 'c', plan_id },
    ...{ metrics: { cost }, is_empty: 0, taken_at: 0, import_id: 1 },
  })
  await app.stores.warehouse.load.acrossShards.insert('report_day', [row('1', '5000000'), row('2', '300000')])
  await aReading(app, adv_id, await externalIdOf(app, other), '2026-03-01', [
    { plan_id: '1', metrics: { cost: 40_000_000n } },
  ])

  const rows = await list()
  expect(rows.map(({ id, cost, children }) => [id, cost, children.map((one) => one.cost)])).toEqual([
    [second, 4030, [4000, 30]],
    [first, 500, [500]],
  ])
  for (const query of [{ id: String(second) }, { name: '双12' }]) expect((await total(query)).sums.cost).toBe(4030)
  expect((await total({ id: String(first) })).sums.cost).toBe(500)
  expect((await total()).sums.cost).toBe(4530)
})

test('budgets of a day are not added to those of the whole time', async () => {
  const id = await anActivity(app, adv_id, {
    plans: [plan({ budget: 50_000 }), plan({ budget_mode: 'total', budget: 300_000, end_date: '2027-01-01' })],
  })
  await anActivity(app, adv_id, { plans: [plan({ budget: 40_000 })] })
  const [second, first] = await list()
  expect(first?.children.map(({ budget, budget_total }) => [budget, budget_total])).toEqual([
    [50_000, null],
    [300_000, 300_000],
  ])
  expect([first?.budget, first?.budget_total, second?.budget, second?.budget_total]).toEqual([
    ...[350_000, 300_000, 40_000, null],
  ])
  expect((await total()).sums).toMatchObject({ budget: 390_000, budget_total: 300_000 })
  const query = { id: String(id), time_range: MARCH } as never
  const compared = await app.admin.get(compareActivities, { query })
  expect(compared.list[0]).toMatchObject({ budget: 350_000, budget_total: 300_000 })
})

test('sums equal plain loops over what was read', async () => {
  const amounts = Array.from({ length: 60 }, (_, no) => BigInt((no * 7_919_337) % 3_000_000_007))
  for (let day = 0; day < 20; day++) {
    const date = `2026-03-${String(day + 1).padStart(2, '0')}`
    const plans = amounts.flatMap((cost, no) => (no % 20 === day ? [{ plan_id: `${no}`, metrics: { cost } }] : []))
    await aReading(app, adv_id, external, date, plans)
  }
  const parts = [0, 20, 40].map((at) => amounts.slice(at, at + 20))
  for (const [part, own] of parts.entries()) {
    const plans = own.map((_, no) => plan({ plan_id: `${part * 20 + no}` }))
    const id = await anActivity(app, adv_id, { plans })
    await db
      .updateTable('campaign')
      .set({ created_at: 1000 + part })
      .where('id', '=', id)
      .execute()
  }
  const fen = (part: readonly bigint[]) => Number((part.reduce((sum, one) => sum + one, 0n) + 5000n) / 10_000n)
  expect((await list({ sort: 'created_at:asc' })).map(({ cost }) => cost)).toEqual(parts.map(fen))
  expect((await total()).sums.cost).toBe(fen(amounts))
})

describe('the list', () => {
  test('pages by activities, sorts by creation, and filters', async () => {
    for (const [no, name] of ['甲', '乙', '丙', '丁', '戊'].entries()) {
      const id = await anActivity(app, adv_id, { name, submit: no > 0, plans: [plan({ name: `${name}计划` }), plan()] })
      await db
        .updateTable('campaign')
        .set({ created_at: 1000 + no })
        .where('id', '=', id)
        .execute()
    }
    const names = async (query: object) => (await list(query)).map(({ name }) => name)
    expect(await names({ per_page: 2 })).toEqual(['戊', '丁'])
    expect(await names({ per_page: 2, page: 3 })).toEqual(['甲'])
    expect(await names({ per_page: 2, page: 4 })).toEqual([])
    expect(await names({ sort: 'created_at:asc', per_page: 2 })).toEqual(['甲', '乙'])
    expect(await names({ name: '丙' })).toEqual(['丙'])
    expect(await names({ name: '丙计' })).toEqual(['丙'])
    expect(await names({ status: '0' })).toEqual(['甲'])
    expect(await names({ status: '0,2', per_page: 100 })).toHaveLength(5)
    expect(await names({ create_by: '1' })).toHaveLength(5)
    expect(await names({ create_by: '99' })).toEqual([])
    expect(await names({ creator: '管理' })).toHaveLength(5)
    const ids = (await list({ per_page: 100 })).map(({ id }) => id)
    expect(await names({ id: `${ids[0]},${ids[2]}` })).toEqual(['戊', '丙'])
    // A platform's id, which no activity can have, beside one that an activity has.
    const LONG = '99999999999999999999'
    expect(await names({ id: LONG })).toEqual([])
    expect(await names({ id: `${ids[2]},${LONG}` })).toEqual(['丙'])
    expect(await total({ id: LONG })).toMatchObject({ total: 0, plans: 0 })
    expect((await total({ id: `${ids[2]},${LONG}` })).total).toBe(1)
    // The sign-in name is not shown, so it is not found either.
    expect(await names({ creator: 'admin' })).toEqual([])
    const page = await app.admin.get(listActivities, { query: { per_page: 2 } as never })
    expect(page.total).toBe(5)
    expect(page.list[0]?.children).toHaveLength(2)
    expect((await total({ name: '丙' })).plans).toBe(2)
    for (const query of [{ sort: 'name:asc' }, { status: '7' }, { time_range: '1' }, { id: 'x' }])
      expect(await app.admin.call(listActivities, { query: query as never })).toMatchObject({ status: 400 })
  })

  test('a viewer sees the activities of their advertisers alone', async () => {
    await anActivity(app, adv_id, { name: '别家的', submit: false })
    const own = await anAdvertiser(app)
    const member = await app.viewer('member', [own])
    expect(await member.get(listActivities)).toEqual({ list: [], total: 0, is_reading: false })
    expect((await member.get(totalActivities)).total).toBe(0)
    expect(await member.call(listActivities, { query: { adv_id } as never })).toMatchObject({
      code: FAULTS.notMember.code,
    })
  })

  test('rows that name no account are the first plan’s with that number', async () => {
    const other = await aTargetingAccount(app, adv_id, COMMERCE)
    await anActivity(app, adv_id, { plans: [plan({ name: '甲', plan_id: '7' })] })
    const theirs = await aPackage(app, other)
    await anActivity(app, adv_id, {
      plans: [aPlan({ platform: COMMERCE, account_id: other, package_id: theirs, name: '乙', plan_id: '7' })],
    })
    await aReading(app, adv_id, '', '2026-03-01', [{ plan_id: '7', metrics: { cost: 1_000_000n } }])
    const costs = (await list()).flatMap(({ children }) => children.map(({ name, cost }) => [name, cost]))
    expect(Object.fromEntries(costs)).toEqual({ 甲: 100, 乙: null })
    expect((await total()).sums.cost).toBe(100)
  })
})

describe('restricted metrics', () => {
  async function member() {
    const caller = await app.viewer('member', [adv_id])
    const allow = async () => {
      const { list: all } = await app.admin.get(listViewers)
      const id = all.find(({ username }) => username === 'member')?.id ?? 0
      await app.admin.get(updateViewer, { params: { id }, body: { see_restricted: true } })
    }
    return { caller, allow }
  }

  test('the server removes them from rows, totals, comparisons, day reports and columns', async () => {
    const id = await anActivity(app, adv_id, { plans: [plan({ plan_id: '1' })] })
    await aReading(app, adv_id, external, '2026-03-01', [{ plan_id: '1', metrics: { cost: 123_456n, liuzi_pv: 4n } }])
    const { caller, allow } = await member()
    const query = { time_range: MARCH } as never
    const answers = async () => [
      await caller.get(listActivities, { query }),
      await caller.get(totalActivities, { query }),
      await caller.get(compareActivities, { query: { id: String(id), time_range: MARCH } as never }),
      await caller.get(getDayReport, { query: { campaign_id: id, time_range: MARCH } as never }),
    ]
    const keysIn = (answer: unknown): string[] =>
      Array.isArray(answer)
        ? answer.flatMap(keysIn)
        : answer !== null && typeof answer === 'object'
          ? Object.entries(answer).flatMap(([key, value]) => [key, ...keysIn(value)])
          : []
    const measured = (answer: unknown) =>
      new Set(keysIn(answer).filter((key) => (METRIC_KEYS as string[]).includes(key)))
    // What an activity itself says stands in its row, empty.
    const shells = ['status', 'creator', 'created_at', 'product_name', 'advertiser_name']
    for (const answer of await answers()) {
      const seen = [...measured(answer)].filter((key) => !shells.includes(key))
      expect(seen.toSorted()).toEqual([...SHORT_METRICS].toSorted())
      expect(JSON.stringify(answer)).toContain('"liuzi_pv":4')
      expect(JSON.stringify(answer)).not.toContain('budget')
    }
    // Filters would tell who made it.
    for (const filter of [{ create_by: '99' }, { creator: '没有这人' }]) {
      const filtered = { query: { time_range: MARCH, ...filter } as never }
      expect((await caller.get(listActivities, filtered)).total).toBe(1)
      expect((await caller.get(totalActivities, filtered)).total).toBe(1)
      expect((await app.admin.get(totalActivities, filtered)).total).toBe(0)
    }
    const [row] = (await caller.get(listActivities, { query })).list
    expect(row).toMatchObject({ creator: null, created_at: null, product_name: null, advertiser_name: null })
    expect((await caller.get(getColumns)).columns.map(({ key }) => key)).toEqual(SHORT_METRICS)
    const { status, columns } = await app.admin.get(getColumns)
    expect([status, ...columns].map(({ key }) => key)).toEqual(METRIC_KEYS)
    expect([status, ...columns].filter(({ restricted }) => !restricted).map(({ key }) => key)).toEqual(SHORT_METRICS)
    expect(columns.find(({ key }) => key === 'click_rate')).toMatchObject({
      ...{ label: '点击率', format: 'percent', tooltip: '点击量 ÷ 曝光量。来源：计算指标', restricted: true },
    })
    const refused = await caller.call(chooseColumns, { body: { keys: ['cost'] } })
    expect(refused.code).toBe(FAULTS.notFound.code)
    await allow()
    for (const answer of await answers()) expect(measured(answer)).toContain('cost')
  })

  test('chosen columns are kept for each viewer, and come back in order', async () => {
    const { caller, allow } = await member()
    await allow()
    await caller.get(chooseColumns, { body: { keys: ['cost', 'imp_pv', 'cost'] } })
    expect((await caller.get(getColumns)).chosen).toEqual(['cost', 'imp_pv'])
    expect((await app.admin.get(getColumns)).chosen).not.toEqual(['cost', 'imp_pv'])
    await caller.get(chooseColumns, { body: { keys: [] } })
    expect((await caller.get(getColumns)).chosen.length).toBeGreaterThan(5)
    expect(await caller.call(chooseColumns, { body: { keys: ['nothing'] as never } })).toMatchObject({
      status: 400,
    })
  })
})

describe('comparisons', () => {
  test('1 to 11 activities, in the order asked for', async () => {
    const ids: number[] = []
    for (let no = 0; no < 12; no++) ids.push(await anActivity(app, adv_id, { name: `甲${no}`, submit: false }))
    const compare = (some: readonly number[]) =>
      app.admin.call(compareActivities, { query: { id: some.join(','), time_range: MARCH } as never })
    expect((await compare([])).msg).toBe('请选择活动')
    expect((await compare(ids)).msg).toBe('列数不应超过11条')
    const eleven = ids.slice(0, 11).reverse()
    expect((await compare([...eleven, ids[3] ?? 0])).data.list.map(({ id }) => id)).toEqual(eleven)
    expect(await compare([ids[0] ?? 0, 9999])).toMatchObject({ status: 404 })
  })
})

describe('day reports', () => {
  test('every day of the range has a row; what was not reported is not known', async () => {
    const id = await anActivity(app, adv_id, {
      name: '双11',
      plans: [plan({ plan_id: '1' }), plan({ plan_id: '2' }), plan()],
    })
    await aReading(app, adv_id, external, '2026-03-02', [
      { plan_id: '1', metrics: { cost: 1_000_000n, imp_pv: 10n, click_pv: 1n } },
      { plan_id: '2', metrics: { cost: 500_000n, imp_pv: 0n } },
    ])
    await aReading(app, adv_id, external, '2026-03-03', [{ plan_id: '1', metrics: { cost: 0n, imp_pv: 0n } }])
    const report = await app.admin.get(getDayReport, {
      query: { campaign_id: id, time_range: march(1, 3) } as never,
    })
    expect(report).toMatchObject({ name: '双11', status: 2, plans: 3, local_plans: 1 })
    expect(report.list.map(({ date, cost, imp_pv, click_rate }) => [date, cost, imp_pv, click_rate])).toEqual([
      ['2026-03-01', null, null, null],
      ['2026-03-02', 150, 10, 0.1],
      ['2026-03-03', 0, 0, null],
    ])
    expect([report.sums.cost, report.sums.imp_pv, report.sums.click_rate]).toEqual([150, 10, 0.1])
    expect('budget' in report.sums).toBe(false)
  })

  test('more than a year is refused, and so is an activity that is not there', async () => {
    const id = await anActivity(app, adv_id, { submit: false })
    const report = (campaign_id: number, time_range: string) =>
      app.admin.call(getDayReport, { query: { campaign_id, time_range } as never })
    expect((await report(id, '0,99999999')).msg).toBe('时间范围最多 366 天')
    expect(await report(9999, MARCH)).toMatchObject({ status: 404 })
  })
})

test('own events that name the activity give the landing page’s numbers, by the standard events they stand for', async () => {
  const id = await anActivity(app, adv_id, { name: '双11', plans: [plan({ plan_id: '1' })] })
  const other = await anActivity(app, adv_id, { name: '双12', plans: [plan()] })
  await aReading(app, adv_id, external, '2026-03-01', [{ plan_id: '1', metrics: { cost: 8_000_000n, liuzi_pv: 9n } }])
  const rows = [
    `u1,到访,2026-03-01 10:00:00,${id},`,
    `u1,到访,2026-03-02 10:00:00,${id},`,
    `u2,到访,2026-03-02 10:00:00,${other},`,
    `u3,到访,2026-03-02 10:00:00,,`,
    `u1,领,2026-03-01 10:00:00,${id},`,
    `u1,领,2026-03-02 10:00:00,${id},`,
    `u1,领,2026-03-02 11:00:00,${other},`,
    `u1,付,2026-03-02 10:00:00,${id},0.1`,
    `u1,付,2026-03-02 10:00:00,${id},0.2`,
  ]
  const upload_id = await uploadTo(app, app.admin, `id,event,time,campaign_id,fee\n${rows.join('\n')}\n`, 'events.csv')
  const mapping = { kind: 'events' as const, id: 'id', event: 'event', time: 'time', skip: [] }
  await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  expect((await list())[1]).toMatchObject({ name: '双11', land_pv: null, pay_amount: null, liuzi_pv: 9 })
  for (const [name, standard, amount] of [
    ['到访', 'land', null],
    ['领', 'coupon_take', null],
    ['付', 'pay', 'fee'],
  ] as const)
    await app.admin.get(updateEvent, { body: { adv_id, name, meaning: { standard, amount, goods: null } } })

  const [second, first] = await list()
  expect(first).toMatchObject({ land_pv: 2, coupon_total_take: 2, coupon_take_uv: 1, pay_pv: 2, pay_amount: 30 })
  expect(second).toMatchObject({ name: '双12', land_pv: 1, coupon_take_uv: 1, pay_pv: 0, pay_amount: 0 })
  // 8 yuan, of which each taker cost as much; what no own event stands for is the platform's.
  expect(first).toMatchObject({ coupon_take_uv_cost: 800, coupon_take_pv_cost: 400, liuzi_pv: 9, share_count: null })
  expect(first?.children[0]).toMatchObject({ land_pv: null, cost: 800 })
  expect((await total()).sums).toMatchObject({ land_pv: 3, coupon_total_take: 3, coupon_take_uv: 1, pay_amount: 30 })

  const report = await app.admin.get(getDayReport, {
    query: { campaign_id: id, time_range: march(1, 3) } as never,
  })
  expect(
    report.list.map(({ date, land_pv, coupon_take_uv, pay_amount }) => [date, land_pv, coupon_take_uv, pay_amount]),
  ).toEqual([
    ['2026-03-01', 1, 1, 0],
    ['2026-03-02', 1, 1, 30],
    ['2026-03-03', 0, 0, 0],
  ])
  expect(report.sums).toMatchObject({ land_pv: 2, coupon_take_uv: 1, pay_amount: 30 })
})

test('own events of one advertiser leave the platform’s numbers of another as they are', async () => {
  const own = await anActivity(app, adv_id, { plans: [plan({ plan_id: '1' })] })
  await aReading(app, adv_id, external, '2026-03-01', [{ plan_id: '1', metrics: { liuzi_pv: 9n } }])
  const other = await anAdvertiser(app)
  const account_id = await aTargetingAccount(app, other, COMMERCE)
  const theirs = await aPackage(app, account_id)
  const external_id = await externalIdOf(app, account_id)
  await anActivity(app, other, {
    plans: [aPlan({ platform: COMMERCE, account_id, package_id: theirs, plan_id: '2' })],
  })
  await aReading(app, other, external_id, '2026-03-01', [{ plan_id: '2', metrics: { liuzi_pv: 5n } }])
  const upload_id = await uploadTo(
    app,
    app.admin,
    `id,event,time,campaign_id\nu1,留资,2026-03-01 10:00:00,${own}\n`,
    'events.csv',
  )
  const mapping = { kind: 'events' as const, id: 'id', event: 'event', time: 'time', skip: [] }
  await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  const meaning = { standard: 'lead', amount: null, goods: null } as const
  await app.admin.get(updateEvent, { body: { adv_id, name: '留资', meaning } })
  expect((await list()).map(({ liuzi_pv }) => liuzi_pv).toSorted()).toEqual([1, 5])
  expect((await total()).sums.liuzi_pv).toBe(6)
})

describe('times that no day of the warehouse has', () => {
  const WHOLE = '0,253402300799'
  const LAST = '253402214400,253402300799'

  test.each([
    [WHOLE, 200, 400],
    [LAST, 200, 200],
    ['-1,1', 400, 400],
    ['0,253402300800', 400, 400],
    ['0,1e300', 400, 400],
  ])('%s: sums answer %s, and calls that show each day %s', async (time_range, sums, days) => {
    const id = await anActivity(app, adv_id, { plans: [plan({ plan_id: '1' })] })
    const { url } = await app.admin.get(makeReportLink, { body: { campaign_id: id, days: 1 } })
    const token = url.split('#')[1] ?? ''
    const of = { campaign_id: id, time_range } as never
    const answers = await Promise.all([
      app.admin.call(listActivities, { query: { time_range } as never }),
      app.admin.call(totalActivities, { query: { time_range } as never }),
      app.admin.call(compareActivities, { query: { id, time_range } as never }),
      app.admin.call(listActivityTrends, { query: of }),
      app.admin.call(getDayReport, { query: of }),
      app.admin.call(listReportMarks, { query: of }),
      app.admin.call(listDayMarks, { query: of }),
      app.admin.call(listUnlinkedPlans, { query: { adv_id, time_range } as never }),
      app.nobody.call(openReportLink, { body: { token, time_range: time_range as never } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([...Array(3).fill(sums), ...Array(6).fill(days)])
    const query = new URLSearchParams({ time_range, format: 'csv', columns: 'all' })
    const exported = await app.app.inject({
      url: `${ACTIVITY_EXPORT_PATH}?${query}`,
      headers: { cookie: app.admin.cookie },
    })
    expect(exported.statusCode).toBe(sums)
    if (sums === 200) expect(exported.body).toContain('合计')
  })
})
