import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { reportLists } from './tables/0013-report-lists.ts'

let warehouse: TestWarehouse
beforeAll(async () => {
  warehouse = await testWarehouse()
})
afterAll(() => warehouse.close())

test('reports keep their rows when their table is made anew, also after a kill at any statement', async () => {
  const { acrossShards, everyShard } = warehouse.load
  const rows = ['p', 'q'].map((plan_id) => ({
    ...{ adv_id: 1, date: '2026-11-01', account_id: 'a', source: 'platform', version: 1, campaign_id: 'c', plan_id },
    ...{ metrics: { cost: '5' }, is_empty: 0, taken_at: 0, import_id: 0 },
  }))
  await acrossShards.insert('report_day', rows)
  const { statements } = reportLists
  for (let done = 0; done < statements.length; done++) {
    for (const statement of [...statements.slice(0, done), ...statements]) await everyShard.command(statement)
    expect(
      await acrossShards.query('SELECT plan_id, count() AS n FROM report_day GROUP BY plan_id ORDER BY plan_id'),
    ).toEqual([
      { plan_id: 'p', n: 1 },
      { plan_id: 'q', n: 1 },
    ])
  }
  expect(
    await acrossShards.query(
      `SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'report_day')`,
    ),
  ).toEqual([{ name: 'report_day' }])
})
