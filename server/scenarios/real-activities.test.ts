import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compareActivities, listActivities, totalActivities } from '#contract/activity-list.ts'
import { getDayReport } from '#contract/day-report.ts'
import { updateEvent } from '#contract/tag-field.ts'
import { importEvents, importReports } from '../commands/import.ts'
import { anActivity, aPlan, aReading } from '../testing/activities.ts'
import { anAdvertiser } from '../testing/builders.ts'
import { COMMERCE } from '../testing/platforms.ts'
import { hasRealData, realFile, realRows } from '../testing/real-data.ts'
import { typeCommand } from '../testing/real-import.ts'
import { aTargetingAccount, externalIdOf } from '../testing/targeting.ts'
import { type TestApp, testApp } from '../testing/test-app.ts'

// Real campaigns and coupons as activities: what the calls of the console answer, and what plain loops over the files find.

const CAMPAIGNS = 'campaign-daily/online_advertising_performance_data.csv.gz'
const COUPONS = 'complete-journey/coupon_redemptions.csv.gz'
const MONTHS: Record<string, string> = { April: '04', May: '05', June: '06' }
type Row = Record<string, string>
type Figures = Readonly<Record<string, number | null>>

let app: TestApp
beforeAll(async () => {
  if (hasRealData) app = await testApp()
})
beforeEach(() => app?.reset())
afterAll(() => app?.close())

function written(name: string, lines: readonly string[]): string {
  const path = join(app.stores.settings.dataDir, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}
/** Both days included, in the server's zone. */
const span = (from: string, to: string) =>
  `${Date.parse(`${from}T00:00:00+08:00`) / 1000},${Date.parse(`${to}T23:59:59+08:00`) / 1000}`

const sum = (rows: readonly Row[], column: string) => rows.reduce((all, row) => all + Number(row[column]), 0)
/** Null where it would be divided by zero. */
const per = (over: number, under: number) => (under === 0 ? null : over / under)
const ROUNDED: Readonly<Record<string, number>> = { click_rate: 0.0001, convert_rate: 0.0001, pay_order_roi: 0.01 }

/** Numbers of the wire are rounded once: counts and amounts in fen to whole ones, rates to their digits. */
function expectFigures(found: object, expected: Figures, where: string) {
  for (const [key, value] of Object.entries(expected)) {
    const said = (found as Figures)[key] ?? null
    if (value === null) expect(said, `${where} ${key}`).toBeNull()
    // Sums of floating numbers are a little off themselves.
    else
      expect(Math.abs((said ?? Number.NaN) - value), `${where} ${key}`).toBeLessThanOrEqual(
        (ROUNDED[key] ?? 1) / 2 + 1e-6,
      )
  }
}

describe.skipIf(!existsSync(realFile(CAMPAIGNS)))('a quarter of display campaigns', { timeout: 180_000 }, () => {
  const dayOf = (row: Row) => `2020-${MONTHS[row.month ?? '']}-${(row.day ?? '').padStart(2, '0')}`
  const planOf = (row: Row) => `${row.campaign_number}/${row.banner}/${row.placement}`.replaceAll(' ', '')

  /** Amounts in fen. */
  function figuresOf(rows: readonly Row[]): Figures {
    if (rows.length === 0) return { cost: null, imp_pv: null, click_pv: null, covert_cnt: null, click_rate: null }
    const [imp_pv, click_pv, covert_cnt] = ['displays', 'clicks', 'post_click_conversions'].map((one) => sum(rows, one))
    const [cost, pay] = ['cost', 'post_click_sales_amount'].map((one) => sum(rows, one) * 100) as [number, number]
    return {
      ...{ cost, pay_order_amount: pay, imp_pv: imp_pv ?? 0, click_pv: click_pv ?? 0, covert_cnt: covert_cnt ?? 0 },
      click_rate: per(click_pv ?? 0, imp_pv ?? 0),
      cpm_platform: per(cost * 1000, imp_pv ?? 0),
      convert_cost: per(cost, covert_cnt ?? 0),
      convert_rate: per(covert_cnt ?? 0, click_pv ?? 0),
      pay_order_roi: per(pay, cost),
      // The file has no number of orders.
      pay_per_order: null,
    }
  }

  test('has in lists, totals, comparisons and day reports what plain loops find', async () => {
    const rows = realRows(CAMPAIGNS)
    const columns = ['displays', 'clicks', 'cost', 'post_click_conversions', 'post_click_sales_amount']
    const lines = rows.map((row) =>
      [dayOf(row), row.campaign_number, planOf(row), ...columns.map((one) => row[one])].join(','),
    )
    const adv_id = await typeCommand(
      app,
      importReports,
      ...[
        written('days.csv', [['date', 'campaign', 'plan', ...columns].join(','), ...lines]),
        '--advertiser',
        'Display',
      ],
      ...['--create-advertiser', '--date', 'date', '--campaign', 'campaign', '--plan', 'plan'],
      ...['--metric', 'displays=imp_pv', '--metric', 'clicks=click_pv', '--metric', 'cost=cost'],
      ...['--metric', 'post_click_conversions=covert_cnt', '--metric', 'post_click_sales_amount=pay_order_amount'],
    )
    const account_id = await aTargetingAccount(app, adv_id, COMMERCE)
    const campaigns = Map.groupBy(rows, (row) => (row.campaign_number ?? '').replaceAll(' ', ''))
    const ids = new Map<string, number>()
    for (const [name, own] of campaigns) {
      const plans = [...new Set(own.map(planOf))].map((plan_id) => aPlan({ platform: COMMERCE, account_id, plan_id }))
      ids.set(name, await anActivity(app, adv_id, { name, submit: false, plans }))
    }
    expect(ids.size).toBe(3)

    // The quarter, and some weeks of it.
    for (const [from, to] of [
      ['2020-04-01', '2020-06-30'],
      ['2020-04-10', '2020-05-20'],
    ] as const) {
      const within = (some: readonly Row[]) => some.filter((row) => dayOf(row) >= from && dayOf(row) <= to)
      const time_range = span(from, to)
      const { list } = await app.admin.get(listActivities, { query: { adv_id, time_range } as never })
      expect(list).toHaveLength(3)
      for (const activity of list) {
        const own = within(campaigns.get(activity.name) ?? [])
        expectFigures(activity, figuresOf(own), activity.name)
        const byPlan = Map.groupBy(own, planOf)
        for (const plan of activity.children) {
          expectFigures(plan, figuresOf(byPlan.get(plan.plan_id ?? '') ?? []), `${plan.plan_id}`)
        }
      }
      const total = await app.admin.get(totalActivities, { query: { adv_id, time_range } as never })
      expectFigures(total.sums, figuresOf(within(rows)), 'total')
      const query = { id: [...ids.values()].join(','), time_range } as never
      const compared = await app.admin.get(compareActivities, { query })
      expect(compared.list.map(({ name }) => name)).toEqual([...ids.keys()])
      for (const one of compared.list)
        expectFigures(one, figuresOf(within(campaigns.get(one.name) ?? [])), `${one.name}, compared`)
      for (const [name, campaign_id] of ids) {
        const report = await app.admin.get(getDayReport, { query: { campaign_id, time_range } as never })
        const own = within(campaigns.get(name) ?? [])
        const byDay = Map.groupBy(own, dayOf)
        for (const day of report.list) expectFigures(day, figuresOf(byDay.get(day.date) ?? []), `${name} ${day.date}`)
        expectFigures(report.sums, figuresOf(own), `${name}, all days`)
      }
    }
  })
})

describe.skipIf(!existsSync(realFile(COUPONS)))('a year of coupons', { timeout: 180_000 }, () => {
  test('counts uses and people, and what each cost, for every campaign and for all of them', async () => {
    const rows = realRows(COUPONS)
    const adv_id = await anAdvertiser(app, 'Journey')
    const account_id = await aTargetingAccount(app, adv_id, COMMERCE)
    const external_id = await externalIdOf(app, account_id)
    const campaigns = Map.groupBy(rows, (row) => row.campaign_id ?? '')
    const ids = new Map<string, number>()
    for (const name of campaigns.keys()) {
      const plans = [aPlan({ platform: COMMERCE, account_id, plan_id: name })]
      ids.set(name, await anActivity(app, adv_id, { name: `券${name}`, submit: false, plans }))
    }
    /** Fen. */
    const costOf = (names: Iterable<string>) => [...names].reduce((all, name) => all + (Number(name) + 1) * 12_345, 0)
    const spent = [...campaigns.keys()].map((plan_id) => ({
      ...{ plan_id, metrics: { cost: BigInt(costOf([plan_id])) * 10_000n } },
    }))
    await aReading(app, adv_id, external_id, '2017-06-01', spent)
    const lines = rows.map(
      (row) => `${row.household_id},redeem,${row.redemption_date},${ids.get(row.campaign_id ?? '')}`,
    )
    const path = written('uses.csv', ['household_id,event,at,campaign_id', ...lines])
    await typeCommand(
      app,
      importEvents,
      ...[path, '--advertiser', 'Journey', '--id', 'household_id', '--event', 'event', '--time', 'at'],
    )
    const meaning = { standard: 'coupon_use', amount: null, goods: null } as const
    await app.admin.get(updateEvent, { body: { adv_id, name: 'redeem', meaning } })

    function figuresOf(names: readonly string[]): Figures {
      const own = names.flatMap((name) => campaigns.get(name) ?? [])
      const people = new Set(own.map((row) => row.household_id)).size
      const cost = costOf(names)
      return {
        ...{ cost, coupon_total_used: own.length, coupon_used_uv: people },
        ...{ coupon_used_pv_cost: per(cost, own.length), coupon_used_uv_cost: per(cost, people) },
        ...{ coupon_total_take: null, coupon_take_pv_cost: null },
      }
    }
    const nameOf = ({ name }: { name: string }) => name.slice(1)
    const time_range = span('2017-01-01', '2017-12-31')
    const { list } = await app.admin.get(listActivities, {
      query: { adv_id, time_range, per_page: 100 } as never,
    })
    expect(list).toHaveLength(campaigns.size)
    for (const one of list) expectFigures(one, figuresOf([nameOf(one)]), one.name)
    const total = await app.admin.get(totalActivities, { query: { adv_id, time_range } as never })
    expect(total.sums.coupon_total_used).toBe(2102)
    expectFigures(total.sums, figuresOf([...campaigns.keys()]), 'total')
    const query = { id: [...ids.values()].slice(0, 11).join(','), time_range } as never
    const compared = await app.admin.get(compareActivities, { query })
    expect(compared.list).toHaveLength(11)
    for (const one of compared.list) expectFigures(one, figuresOf([nameOf(one)]), `${one.name}, compared`)
  })
})
