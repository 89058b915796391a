import readExcelFile from 'read-excel-file/node'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { ACTIVITY_EXPORT_PATH, DAY_REPORT_EXPORT_PATH } from '#contract/activity-export.ts'
import { FAULTS } from '#contract/errors.ts'
import { anActivity, aPlan, aReading } from '../../testing/activities.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { COMMERCE } from '../../testing/platforms.ts'
import { aPackage, aTargetingAccount, externalIdOf } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'

const app = await testApp()
afterAll(() => app.close())

let adv_id: number
let double11: number
const MARCH = `${Date.UTC(2026, 1, 28, 16) / 1000},${Date.UTC(2026, 2, 2, 16) / 1000 - 1}`

beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  const account_id = await aTargetingAccount(app, adv_id, COMMERCE)
  const package_id = await aPackage(app, account_id)
  const external_id = await externalIdOf(app, account_id)
  const plan = (name: string, plan_id: string | null) =>
    aPlan({ platform: COMMERCE, account_id, package_id, name, plan_id, budget: 30_000 })
  double11 = await anActivity(app, adv_id, { name: '-双11', plans: [plan('甲', '1'), plan('乙', null)] })
  await anActivity(app, adv_id, { name: '双12', plans: [plan('丙', '3')] })
  await aReading(app, adv_id, external_id, '2026-03-01', [
    { plan_id: '1', metrics: { cost: 1_234_560_000n, imp_pv: 3000n, click_pv: 100n } },
    { plan_id: '3', metrics: { cost: 70_000n, imp_pv: 0n, click_pv: 0n } },
  ])
})

const download = (path: string, query: Record<string, string>, caller = app.admin) =>
  app.app.inject({
    url: `${path}?${new URLSearchParams({ time_range: MARCH, ...query })}`,
    headers: { cookie: caller.cookie },
  })
/** Cells of a csv without quoted ones. */
const rowsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))
/** The values of one column, by the name or date of the row. */
const column = (rows: readonly (readonly unknown[])[], name: string, by: number) => {
  const at = rows[0]?.indexOf(name) ?? -1
  expect([name, at >= 0]).toEqual([name, true])
  return rows.slice(1).map((row) => [row[by], row[at]])
}

test('a platform’s id that looks like a phone is written as it is; names are not', async () => {
  const account_id = await aTargetingAccount(app, adv_id, COMMERCE)
  const name = '回访13912340002'
  await anActivity(app, adv_id, {
    ...{ name, submit: false },
    plans: [aPlan({ platform: COMMERCE, account_id, name, plan_id: '13912340002' })],
  })
  const member = await app.viewer('member', [adv_id])
  const rows = rowsOf((await download(ACTIVITY_EXPORT_PATH, {}, member)).body)
  expect(column(rows, '平台计划 ID', 1).slice(0, 2)).toEqual([
    ['回访139****0002', ''],
    ['回访139****0002', '13912340002'],
  ])
})

test('the list is written as csv: activities, their plans, and the sums, amounts in yuan', async () => {
  const answer = await download(ACTIVITY_EXPORT_PATH, { sort: 'created_at:asc' })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(answer.headers['content-disposition']).toContain(encodeURIComponent('活动列表_2026-03-01_2026-03-02.csv'))
  expect(
    answer.body.startsWith('\uFEFF层级,名称,ID,状态,平台,平台账户,平台计划 ID,日预算（元）,总预算（元）,消耗（元）'),
  ).toBe(true)
  const rows = rowsOf(answer.body)
  expect(column(rows, '消耗（元）', 1)).toEqual([
    ["'-双11", '1234.56'],
    ['甲', '1234.56'],
    ['乙', ''],
    ['双12', '0.07'],
    ['丙', '0.07'],
    ['2 个活动', '1234.63'],
  ])
  expect(column(rows, '点击率', 1)).toEqual([
    ["'-双11", '3.33%'],
    ['甲', '3.33%'],
    ['乙', ''],
    ['双12', ''],
    ['丙', ''],
    ['2 个活动', '3.33%'],
  ])
  expect(rowsOf((await download(ACTIVITY_EXPORT_PATH, { name: '双12' })).body)).toHaveLength(4)
})

test('the same as a workbook: numbers are numbers, and no text is a formula', async () => {
  const answer = await download(ACTIVITY_EXPORT_PATH, { sort: 'created_at:asc', format: 'xlsx', columns: 'all' })
  expect(answer.headers['content-type']).toContain('spreadsheetml')
  const [sheet] = await readExcelFile(answer.rawPayload)
  const rows = sheet?.data ?? []
  expect(column(rows, '消耗（元）', 1)).toEqual([
    ['-双11', 1234.56],
    ['甲', 1234.56],
    ['乙', null],
    ['双12', 0.07],
    ['丙', 0.07],
    ['2 个活动', 1234.63],
  ])
  expect(column(rows, '曝光量', 1).map(([, value]) => value)).toEqual([3000, 3000, null, 0, 0, 3000])
})

test('a day report is written day by day with its sums', async () => {
  const query = { campaign_id: String(double11) }
  const csv = await download(DAY_REPORT_EXPORT_PATH, query)
  expect(csv.headers['content-disposition']).toContain(encodeURIComponent('-双11分日数据_2026-03-01_2026-03-02.csv'))
  expect(column(rowsOf(csv.body), '消耗（元）', 0)).toEqual([
    ['2026-03-01', '1234.56'],
    ['2026-03-02', ''],
    ['合计', '1234.56'],
  ])
  const [sheet] = await readExcelFile((await download(DAY_REPORT_EXPORT_PATH, { ...query, format: 'xlsx' })).rawPayload)
  expect(column(sheet?.data ?? [], '消耗（元）', 0)).toEqual([
    ['2026-03-01', 1234.56],
    ['2026-03-02', null],
    ['合计', 1234.56],
  ])
})

test('others get only what they may see', async () => {
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  expect(rowsOf((await download(ACTIVITY_EXPORT_PATH, {}, stranger)).body)).toHaveLength(2)
  const refused = await download(DAY_REPORT_EXPORT_PATH, { campaign_id: String(double11) }, stranger)
  expect(refused.json().code).toBe(FAULTS.notFound.code)
  expect((await download(ACTIVITY_EXPORT_PATH, { format: 'pdf' })).statusCode).toBe(400)

  const member = await app.viewer('member', [adv_id])
  const { body } = await download(ACTIVITY_EXPORT_PATH, { columns: 'all' }, member)
  expect(body.split('\n')[0]).toContain('落地页访问量')
  expect(body).not.toContain('消耗（元）')
  expect(body).not.toContain('1234.56')
})
