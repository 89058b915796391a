import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addSums, type MetricSums } from '#contract/activity/formulas.ts'
import type { ReportedKey } from '#contract/activity/metrics.ts'
import { removeRows } from '../clickhouse/remove-rows.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { keptSums, type PlanSet } from './kept-sums.ts'
import { dropReplacedReadings, keepReading } from './readings.ts'
import { reportSums } from './sums.ts'
import { sumsOfGroups } from './sums-of-groups.ts'

let warehouse: TestWarehouse
beforeAll(async () => {
  warehouse = await testWarehouse()
})
beforeEach(() => warehouse.truncate())
afterAll(() => warehouse.close())

const DAYS = ['2026-11-01', '2026-11-02', '2026-11-03'] as const
const RANGES = [
  { from: DAYS[0], to: DAYS[2] },
  { from: DAYS[1], to: DAYS[1] },
] as const
const KEYS = ['cost', 'imp_pv', 'liuzi_pv'] as const satisfies readonly ReportedKey[]
const PLANS = ['p', 'q', 'r'] as const
const names = (...plans: (readonly [account_id: string, plan_id: string])[]) => plans.map((name) => name.join('\n'))
const SETS = {
  some: names(['a', 'p'], ['b', 'q'], ['', 'q']),
  all: names(...['a', 'b', ''].flatMap((account) => PLANS.map((plan) => [account, plan] as const))),
}
const setOf = (key: keyof typeof SETS): PlanSet => ({
  ...{ adv_id: 1, key, accounts: ['', 'a', 'b'] },
  plansOf: (account_id) =>
    SETS[key].flatMap((name) => (name.startsWith(`${account_id}\n`) ? [name.slice(account_id.length + 1)] : [])),
})

const aRow = fc.record({
  plan_id: fc.constantFrom(...PLANS),
  metrics: fc.dictionary(fc.constantFrom(...KEYS), fc.bigInt({ min: 0n, max: 2n ** 62n })),
})
const rows = fc.array(aRow, { maxLength: 4 })
const step = fc.oneof(
  fc.record({
    does: fc.constant('read' as const),
    account_id: fc.constantFrom('a', 'b'),
    date: fc.constantFrom(...DAYS),
    rows,
  }),
  fc.record({
    does: fc.constant('import' as const),
    account_id: fc.constantFrom('', 'a', 'b'),
    dates: fc.subarray([...DAYS], { minLength: 1 }),
    rows,
  }),
  fc.record({ does: fc.constant('undo' as const) }),
  fc.record({ does: fc.constant('drop' as const) }),
)

const stored = (metrics: Partial<Record<ReportedKey, bigint>>) =>
  Object.fromEntries(Object.entries(metrics).map(([key, value]) => [key, String(value)]))

test('kept sums are those of all rows, whatever is read, imported, undone and removed between', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const on = warehouse.live.acrossShards
        const kept = keptSums(on)
        const derived = keptSums(on, { few: 0 })
        let version = 0
        let import_id = 0
        const imports: { import_id: number; version: number }[] = []
        for (const one of steps) {
          if (one.does === 'read') {
            const plans = one.rows.map((row) => ({ campaign_id: 'c', ...row }))
            const { account_id, date } = one
            await keepReading(warehouse.load, { adv_id: 1, account_id, date, version: ++version, taken_at: 0, plans })
          } else if (one.does === 'import') {
            // As files do: a version of an import that was undone is given again.
            const own = { import_id: ++import_id, version: (imports.at(-1)?.version ?? 0) + 1 }
            imports.push(own)
            const common = {
              adv_id: 1,
              account_id: one.account_id,
              source: 'file',
              campaign_id: 'c',
              is_empty: 0,
              taken_at: 0,
            }
            const lines = one.dates.flatMap((date) =>
              one.rows.map(({ plan_id, metrics }) => ({ ...common, ...own, date, plan_id, metrics: stored(metrics) })),
            )
            if (lines.length > 0) await warehouse.load.acrossShards.insert('report_day', lines)
          } else if (one.does === 'undo') {
            const last = imports.pop()
            if (last)
              await removeRows(warehouse.load.everyShard, 'report_day', 'adv_id = 1 AND import_id = {id:UInt32}', {
                id: last.import_id,
              })
          } else await dropReplacedReadings(warehouse.load)
          for (const key of ['some', 'all'] as const) {
            for (const days of RANGES) {
              const [plain] = await reportSums(on, { adv_id: 1, ...days, names: SETS[key] })
              expect(await kept(setOf(key), days)).toEqual(plain?.sums ?? {})
              expect(await derived(setOf(key), days), 'made of the other set').toEqual(plain?.sums ?? {})
            }
          }
        }
        await mustAddUp(on)
        await groupsMustAddUp(on)
      })
      .afterEach(() => warehouse.truncate()),
    { numRuns: 6 },
  )
  // Some hundred statements.
}, 180_000)

/** A few plans that are looked up have the sums that they have among all. */
async function mustAddUp(on: TestWarehouse['live']['acrossShards']) {
  const filter = { adv_id: 1, ...RANGES[0] }
  const all = await reportSums(on, filter, ['account', 'plan'])
  const plans = [
    { account_id: 'a', plan_id: 'p' },
    { account_id: 'b', plan_id: 'r' },
  ]
  const found = await reportSums(on, { ...filter, plans }, ['account', 'plan'])
  const isAsked = (row: { account_id: string; plan_id: string }) =>
    plans.some(({ account_id, plan_id }) => account_id === row.account_id && plan_id === row.plan_id)
  expect(found).toEqual(all.filter(isAsked))
  const [sums] = await reportSums(on, filter)
  const whole = all.reduce<MetricSums>((sum, { sums }) => addSums(sum, sums), {})
  expect(sums?.sums ?? {}).toEqual(whole)
}

/** Groups that the engine adds up have the sums of their plans, read plan by plan. */
async function groupsMustAddUp(on: TestWarehouse['live']['acrossShards']) {
  const filter = { adv_id: 1, ...RANGES[0], metrics: ['cost', 'imp_pv'] as const }
  const groups = [
    { no: 1, plan: { account_id: 'a', plan_id: 'p' } },
    { no: 7, plan: { account_id: 'b', plan_id: 'q' } },
    { no: 1, plan: { account_id: '', plan_id: 'q' } },
  ]
  const slow = new Map<number, Map<string, MetricSums>>()
  for (const { no, plan } of groups) {
    for (const { date, sums } of await reportSums(on, { ...filter, plans: [plan] }, ['day'])) {
      const byDay = slow.get(no) ?? new Map<string, MetricSums>()
      const asked = Object.fromEntries(filter.metrics.flatMap((key) => (key in sums ? [[key, sums[key]]] : [])))
      slow.set(no, byDay.set(date, addSums(byDay.get(date) ?? {}, asked)))
    }
  }
  expect(await sumsOfGroups(on, filter, groups)).toEqual(slow)
}

test('a day that was not replaced is read once, also by calls at the same time', async () => {
  const read = (version: number, date: string, cost: bigint) =>
    keepReading(warehouse.load, {
      ...{ adv_id: 1, account_id: 'a', date, version, taken_at: 0 },
      plans: [{ campaign_id: 'c', plan_id: 'p', metrics: { cost } }],
    })
  for (const [at, date] of DAYS.entries()) await read(1, date, 10n ** BigInt(at))
  const { acrossShards } = warehouse.live
  const asked: unknown[] = []
  const kept = keptSums({
    ...acrossShards,
    query: async (sql, params, options) => {
      // All days are read without naming them.
      if (params?.names) asked.push(params.dates ? [params.dates, params.accounts] : 'all')
      return acrossShards.query(sql, params, options)
    },
  })
  const sum = () => kept(setOf('all'), RANGES[0])
  expect(await Promise.all([sum(), sum(), sum()])).toEqual(Array(3).fill({ cost: 111n }))
  expect(asked).toEqual(['all'])
  await read(2, DAYS[1], 20n)
  expect(await Promise.all([sum(), sum()])).toEqual(Array(2).fill({ cost: 121n }))
  expect(asked.slice(1)).toEqual([[[DAYS[1]], ['a']]])
})

test('sums of nearly the same plans read the different plans alone', async () => {
  const plan = (plan_id: string, cost: bigint) => ({ campaign_id: 'c', plan_id, metrics: { cost } })
  for (const account_id of ['a', 'b'])
    await keepReading(warehouse.load, {
      ...{ adv_id: 1, account_id, date: DAYS[0], version: 1, taken_at: 0 },
      plans: [plan('p', 1n), plan('q', 10n), { ...plan('r', 0n), metrics: { imp_pv: 5n } }],
    })
  const asked: unknown[] = []
  const { acrossShards } = warehouse.live
  const query: typeof acrossShards.query = async (sql, params, options) => {
    if (params?.names) asked.push(params.names)
    return acrossShards.query(sql, params, options)
  }
  const kept = keptSums({ ...acrossShards, query }, { few: 0 })
  const set = (...plans: string[]): PlanSet => ({
    ...{ adv_id: 1, key: plans.join(), accounts: ['', 'a', 'b'] },
    plansOf: (account_id) => (account_id === '' ? [] : plans),
  })
  expect(await kept(set('p', 'r'), RANGES[0])).toEqual({ cost: 2n, imp_pv: 10n })
  expect(await kept(set('p', 'q'), RANGES[0])).toEqual({ cost: 22n })
  expect(asked.map((plans) => (plans as string[]).toSorted())).toEqual([
    names(['a', 'p'], ['a', 'r'], ['b', 'p'], ['b', 'r']),
    names(['a', 'q'], ['b', 'q']),
    names(['a', 'r'], ['b', 'r']),
  ])
})

test('the sums used longest ago are forgotten when there are too many, and are read again', async () => {
  await keepReading(warehouse.load, {
    ...{ adv_id: 1, account_id: 'a', date: DAYS[0], version: 1, taken_at: 0 },
    plans: PLANS.map((plan_id) => ({ campaign_id: 'c', plan_id, metrics: { cost: 1n } })),
  })
  let reads = 0
  const { acrossShards } = warehouse.live
  const query: typeof acrossShards.query = async (sql, params, options) => {
    if (params?.names) reads++
    return acrossShards.query(sql, params, options)
  }
  const kept = keptSums({ ...acrossShards, query }, { setsKept: 2 })
  const set = (plan_id: string): PlanSet => ({
    ...{ adv_id: 1, key: plan_id, accounts: ['', 'a'] },
    plansOf: (account_id) => (account_id === '' ? [] : [plan_id]),
  })
  const readsOf = async (plan_id: string) => {
    const before = reads
    expect(await kept(set(plan_id), RANGES[0])).toEqual({ cost: 1n })
    return reads - before
  }
  expect([await readsOf('p'), await readsOf('q'), await readsOf('p')]).toEqual([1, 1, 0])
  // It takes the place of `q`, which was used before `p` was.
  expect([await readsOf('r'), await readsOf('p'), await readsOf('q')]).toEqual([1, 0, 1])
})

test('an engine without one snapshot for a statement answers the same, and nothing is kept', async () => {
  await keepReading(warehouse.load, {
    ...{ adv_id: 1, account_id: 'a', date: DAYS[0], version: 1, taken_at: 0 },
    plans: PLANS.map((plan_id, at) => ({ campaign_id: 'c', plan_id, metrics: { cost: 10n ** BigInt(at) } })),
  })
  const { acrossShards } = warehouse.live
  const statements: string[] = []
  const query: typeof acrossShards.query = async (sql, params, options) => {
    statements.push(sql)
    return sql.includes('system.settings') ? [] : acrossShards.query(sql, params, options)
  }
  const kept = keptSums({ ...acrossShards, query })
  for (let round = 0; round < 2; round++) {
    statements.length = 0
    expect(await kept(setOf('all'), RANGES[0])).toEqual({ cost: 111n })
    expect(statements.some((sql) => sql.includes('OVER (PARTITION BY'))).toBe(true)
  }
})
