import { afterAll, beforeAll, expect, test } from 'vitest'
import { stages } from '../ingest/stage.ts'
import { reportSums } from '../reports/sums.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { runStatements } from './migrate.ts'
import { REPORT_PROJECTIONS, reportLists } from './tables/0013-report-lists.ts'
import { reportLayouts } from './tables/0015-report-layouts.ts'

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

const DAY = { from: '2026-11-01', to: '2026-11-01' }
const sumsOf = async (adv_id: number) =>
  (await reportSums(warehouse.live.acrossShards, { adv_id, ...DAY }, ['plan'])).map(({ plan_id, sums }) => [
    plan_id,
    sums,
  ])

test('rows that were stored before their layout was have it, also after a kill at any statement', async () => {
  // The test before has left the table without layouts.
  const { statements } = reportLayouts
  for (let done = 0; done < statements.length; done++) {
    await runStatements(warehouse.load, { name: '', statements: [...statements.slice(0, done), ...statements] })
    expect(await sumsOf(1)).toEqual([
      ['p', { cost: 5n }],
      ['q', { cost: 5n }],
    ])
  }
})

test('a file that was read before layouts were is joined with them', async () => {
  const { load } = warehouse
  const stage = stages(load.everyShard, 'reports', 7)
  await stage.create()
  const name = stage.stage('report_day')
  const before = REPORT_PROJECTIONS.flatMap(([, own, select]) =>
    own === 'by_plan' ? [`ADD PROJECTION ${own} (${select})`] : [],
  )
  for (const change of ['DROP PROJECTION by_plan', 'DROP COLUMN layout', ...before])
    await load.everyShard.command(`ALTER TABLE ${name} ${change}`)
  // So many that the engine looks the plan up in the other order.
  const plansOfFile = ['r', ...Array.from({ length: 20_000 }, (_, at) => `r${at}`)]
  await load.acrossShards.insert(
    name,
    plansOfFile.map((plan_id) => ({
      ...{ adv_id: 2, date: DAY.from, account_id: '', source: 'file', version: 1, campaign_id: 'c', plan_id },
      ...{ metrics: { imp_pv: '7', cost: '1' }, is_empty: 0, taken_at: 0, import_id: 7 },
    })),
  )
  await stage.join({ isAgain: false })
  await stage.drop()
  const plans = [{ account_id: '', plan_id: 'r' }]
  const looked = await reportSums(warehouse.live.acrossShards, { adv_id: 2, ...DAY, plans })
  expect(looked[0]?.sums).toEqual({ imp_pv: 7n, cost: 1n })
  expect((await sumsOf(2))[0]).toEqual(['r', { imp_pv: 7n, cost: 1n }])
})
