import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addSums, type DerivedKey, FORMULAS, type MetricSums, metricValue } from '#contract/activity/formulas.ts'
import { METRIC_KEYS, metricOf } from '#contract/activity/metrics.ts'
import { importReports } from '../commands/import.ts'
import { undoOneImport } from '../commands/imports.ts'
import { reportSums } from '../reports/sums.ts'
import { hasRealData, realFile, realRows } from '../testing/real-data.ts'
import { typeCommand } from '../testing/real-import.ts'
import { type TestApp, testApp } from '../testing/test-app.ts'

// A quarter of display campaigns, added up by the product and by plain loops over the file.

const FILE = 'campaign-daily/online_advertising_performance_data.csv.gz'
const MONTHS: Record<string, string> = { April: '04', May: '05', June: '06' }
const QUARTER = { from: '2020-04-01', to: '2020-06-30' }
type Row = Record<string, string>

let app: TestApp
beforeAll(async () => {
  if (hasRealData) app = await testApp()
})
beforeEach(() => app?.reset())
afterAll(() => app?.close())

const dayOf = (row: Row) => `2020-${MONTHS[row.month ?? '']}-${(row.day ?? '').padStart(2, '0')}`
const planOf = (row: Row) => `${row.banner} ${row.placement}`

/** The rows with a date and a plan, as a file. */
function written(name: string, rows: readonly Row[]): string {
  const columns = ['displays', 'clicks', 'cost', 'post_click_conversions', 'post_click_sales_amount']
  const lines = rows.map((row) =>
    [dayOf(row), row.campaign_number, planOf(row), ...columns.map((column) => row[column])].join(','),
  )
  const path = join(app.stores.settings.dataDir, name)
  writeFileSync(path, `${['date', 'campaign', 'plan', ...columns].join(',')}\n${lines.join('\n')}\n`)
  return path
}
const imported = (path: string) =>
  typeCommand(
    app,
    importReports,
    ...[path, '--advertiser', 'Display', '--create-advertiser', '--date', 'date', '--campaign', 'campaign'],
    ...['--plan', 'plan', '--metric', 'displays=imp_pv', '--metric', 'clicks=click_pv', '--metric', 'cost=cost'],
    ...['--metric', 'post_click_conversions=covert_cnt', '--metric', 'post_click_sales_amount=pay_order_amount'],
  )
async function latest() {
  const { db } = app.stores.postgres
  return db.selectFrom('import').select(['id', 'report']).orderBy('id', 'desc').executeTakeFirstOrThrow()
}

/** Millionths of a yuan of a number with at most six digits after the point, as text. */
function micros(text = ''): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  expect(fraction.length).toBeLessThanOrEqual(6)
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
}
const sumsOf = (rows: readonly Row[]): MetricSums =>
  rows
    .map(
      (row): MetricSums => ({
        imp_pv: BigInt(row.displays ?? ''),
        click_pv: BigInt(row.clicks ?? ''),
        cost: micros(row.cost),
        covert_cnt: BigInt(row.post_click_conversions ?? ''),
        pay_order_amount: micros(row.post_click_sales_amount),
      }),
    )
    .reduce(addSums, {})

describe.skipIf(!existsSync(realFile(FILE)))('a quarter of display campaigns', { timeout: 180_000 }, () => {
  test('has the totals, sums by campaign, plan and day, rates and costs that plain loops find', async () => {
    const rows = realRows(FILE)
    const adv_id = await imported(written('all.csv', rows))
    expect((await latest()).report).toMatchObject({ rows: 15_408, stored: 15_408, duplicate: 0, refused: 0 })
    const { acrossShards } = app.stores.warehouse.live
    const filter = { adv_id, ...QUARTER }
    const [all] = await reportSums(acrossShards, filter)
    expect(all?.sums).toEqual(sumsOf(rows))
    expect(all?.sums).toMatchObject({ imp_pv: 239_017_725n, click_pv: 2_492_837n, cost: 175_192_995_700n })
    expect(all?.sums).toMatchObject({ covert_cnt: 651_768n, pay_order_amount: 32_715_622_403_500n })

    const groupings = [
      { by: ['campaign'], keyOf: (row: Row) => `${row.campaign_number}`, groups: 3 },
      { by: ['day'], keyOf: dayOf, groups: 91 },
      { by: ['campaign', 'day'], keyOf: (row: Row) => `${row.campaign_number}|${dayOf(row)}`, groups: 212 },
      { by: ['campaign', 'plan'], keyOf: (row: Row) => `${row.campaign_number}|${planOf(row)}`, groups: null },
    ] as const
    for (const { by, keyOf, groups } of groupings) {
      const columns = by.map((one) => ({ campaign: 'campaign_id', day: 'date', plan: 'plan_id' })[one])
      const found = await reportSums(acrossShards, filter, by)
      const expected = new Map([...Map.groupBy(rows, keyOf)].map(([name, group]) => [name, sumsOf(group)] as const))
      if (groups !== null) expect(expected.size).toBe(groups)
      expect(new Map(found.map((one) => [columns.map((column) => one[column as never]).join('|'), one.sums]))).toEqual(
        expected,
      )
      for (const { sums } of found) ratesAgree(sums)
    }
    for (const campaign of ['camp 1', 'camp 2', 'camp 3']) {
      const asked = { adv_id, from: '2020-04-10', to: '2020-05-20', campaigns: [campaign] }
      const within = rows.filter(
        (row) => row.campaign_number === campaign && dayOf(row) >= asked.from && dayOf(row) <= asked.to,
      )
      expect((await reportSums(acrossShards, asked))[0]?.sums).toEqual(sumsOf(within))
    }
  })

  test('twice counts once, a corrected week replaces its days, and its undo brings them back', async () => {
    const rows = realRows(FILE)
    const path = written('all.csv', rows)
    const adv_id = await imported(path)
    await imported(path)
    expect((await latest()).report).toMatchObject({ rows: 15_408, stored: 0, duplicate: 15_408, refused: 0 })
    const inAll = async () =>
      (await reportSums(app.stores.warehouse.live.acrossShards, { adv_id, ...QUARTER }))[0]?.sums
    expect(await inAll()).toEqual(sumsOf(rows))

    const isLastWeek = (row: Row) => dayOf(row) >= '2020-06-24'
    const corrected = rows.filter(isLastWeek).map((row) => ({ ...row, clicks: String(Number(row.clicks) + 1) }))
    await imported(written('week.csv', corrected))
    const { id, report } = await latest()
    expect(report).toMatchObject({ rows: corrected.length, stored: corrected.length, duplicate: 0 })
    expect(await inAll()).toEqual(sumsOf([...rows.filter((row) => !isLastWeek(row)), ...corrected]))

    await typeCommand(app, undoOneImport, String(id))
    expect(await inAll()).toEqual(sumsOf(rows))
  })
})

/** Rates and costs, computed here with floating numbers from the same sums. */
function ratesAgree(sums: MetricSums): void {
  for (const key of METRIC_KEYS.filter((key): key is DerivedKey => Object.hasOwn(FORMULAS, key))) {
    const of = (one: keyof MetricSums) => Number(sums[one] ?? Number.NaN)
    const expected: Partial<Record<DerivedKey, number>> = {
      click_rate: of('click_pv') / of('imp_pv'),
      cpm_platform: ((of('cost') / 10_000) * 1000) / of('imp_pv'),
      convert_cost: of('cost') / 10_000 / of('covert_cnt'),
      convert_rate: of('covert_cnt') / of('click_pv'),
      pay_order_roi: of('pay_order_amount') / of('cost'),
    }
    const value = expected[key]
    const found = metricValue(key, sums)
    if (value === undefined || !Number.isFinite(value)) expect(found, key).toBeNull()
    else {
      const step = { money: 1, percent: 0.0001, ratio: 0.01 }[metricOf(key).format as 'money']
      expect(Math.abs((found ?? Number.NaN) - value), key).toBeLessThanOrEqual(step / 2 + 1e-9 * Math.abs(value))
    }
  }
}
