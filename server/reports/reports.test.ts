import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addSums, type MetricSums, metricValue } from '#contract/activity/formulas.ts'
import type { ReportedKey } from '#contract/activity/metrics.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'
import { removeRows } from '../clickhouse/remove-rows.ts'
import { killed } from '../testing/killed-handles.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { type AccountDay, dropReplacedReadings, keepReading, type PlanDay } from './readings.ts'
import { countedRows, ROWS } from './rows-in-force.ts'
import { type ReportFilter, reportSums } from './sums.ts'

let warehouse: TestWarehouse
beforeAll(async () => {
  warehouse = await testWarehouse()
  const on = warehouse.live.acrossShards
  const without: AcrossShards = {
    ...on,
    query: async (sql, params, options) => (sql.includes('FROM system.settings') ? [] : on.query(sql, params, options)),
  }
  ways = { 'of one snapshot': on, 'in one pass': without }
})
beforeEach(() => warehouse.truncate())
afterAll(() => warehouse.close())

const YEAR: ReportFilter = { adv_id: 1, from: '2026-01-01', to: '2026-12-31' }
/** Handles that ask for the rows in one way, whatever the engine knows. */
const WAYS = { 'of one snapshot': true, 'in one pass': false } as const
type Way = keyof typeof WAYS
let ways: Record<Way, AcrossShards>
const across = (way: Way = 'of one snapshot') => ways[way]
const inAll = async (filter: Partial<ReportFilter> = {}, way?: Way): Promise<MetricSums> =>
  (await reportSums(across(way), { ...YEAR, ...filter }))[0]?.sums ?? {}

const plan = (plan_id: string, metrics: PlanDay['metrics'], campaign_id = 'c'): PlanDay => ({
  campaign_id,
  plan_id,
  metrics,
})
const read = (version: number, plans: PlanDay[], more: Partial<AccountDay> = {}) =>
  keepReading(warehouse.load, {
    adv_id: 1,
    account_id: 'a',
    date: '2026-11-01',
    version,
    taken_at: 1_790_000_000,
    plans,
    ...more,
  })

/** Rows as an import stores them. */
async function fromFile(version: number, rows: readonly (PlanDay & { account_id?: string; date?: string })[]) {
  await warehouse.load.acrossShards.insert(
    'report_day',
    rows.map(({ metrics, account_id = 'a', date = '2026-11-01', ...row }) => ({
      adv_id: 1,
      account_id,
      date,
      source: 'file',
      version,
      ...row,
      metrics: Object.fromEntries(Object.entries(metrics).map(([key, value]) => [key, String(value)])),
      is_empty: 0,
      taken_at: 1_790_000_000,
      import_id: version,
    })),
  )
}

test('the engine reads the table in one snapshot, and one without that setting in one pass', async () => {
  expect(await countedRows(across())).toBe(ROWS.ofOneSnapshot)
  expect(await countedRows(across('in one pass'))).toBe(ROWS.inOnePass)
})

describe('a day of an account', () => {
  test('is replaced as a whole: plans that the new reading lacks are gone', async () => {
    await read(1, [plan('p', { cost: 5n, imp_pv: 1n }), plan('q', { cost: 7n })])
    await read(2, [plan('p', { cost: 6n })])
    expect(await inAll()).toEqual({ cost: 6n })
  })

  test('is empty if the new reading says so', async () => {
    await read(1, [plan('p', { cost: 5n })])
    await read(2, [])
    expect(await reportSums(across(), YEAR)).toEqual([])
    await read(3, [plan('p', { cost: 1n })])
    expect(await inAll()).toEqual({ cost: 1n })
  })

  test('leaves other days, accounts and advertisers as they are', async () => {
    await read(1, [plan('p', { cost: 5n })])
    await read(1, [plan('p', { cost: 50n })], { date: '2026-11-02' })
    await read(1, [plan('p', { cost: 500n })], { account_id: 'b' })
    await read(1, [plan('p', { cost: 5000n })], { adv_id: 2 })
    await read(2, [])
    expect(await inAll()).toEqual({ cost: 550n })
    expect(await inAll({ adv_id: 2 })).toEqual({ cost: 5000n })
  })

  test('a reading that arrives late does not replace a newer one', async () => {
    await read(2, [plan('p', { cost: 6n })])
    await read(1, [plan('p', { cost: 5n })])
    expect(await inAll()).toEqual({ cost: 6n })
  })

  test('a reading that is stored again after a kill counts once', async () => {
    await read(1, [plan('p', { cost: 5n })])
    await read(1, [plan('p', { cost: 5n })])
    expect(await inAll()).toEqual({ cost: 5n })
  })

  test('the insert that replaces it is one part, so that no kill can separate its rows', async () => {
    const plans = Array.from({ length: 30_000 }, (_, at) => plan(`p${at}`, { cost: BigInt(at), imp_pv: 10n ** 15n }))
    await read(1, plans)
    const parts = await across().query(`SELECT name FROM system.parts WHERE database = currentDatabase()
      AND table = 'report_day' AND active AND rows > 0`)
    expect(parts).toHaveLength(1)
    expect(await inAll()).toEqual({ cost: (29_999n * 30_000n) / 2n, imp_pv: 30_000n * 10n ** 15n })
  })

  test.each(['before', 'after'] as const)(
    'a kill %s any statement leaves it as it was or as it is now',
    async (when) => {
      await read(1, [plan('p', { cost: 5n }), plan('q', { cost: 7n })])
      let version = 2
      let statements = 0
      for (let wasKilled = true; wasKilled; statements++, version++) {
        const before = await inAll()
        const replaced = { cost: BigInt(version) + 100n }
        const plans = [plan('p', { cost: BigInt(version) }), plan('r', { cost: 100n })]
        const day: AccountDay = { adv_id: 1, account_id: 'a', date: '2026-11-01', version, taken_at: 0, plans }
        wasKilled = await keepReading(killed(when, statements, warehouse.load), day).then(
          () => false,
          () => true,
        )
        expect([before, replaced]).toContainEqual(await inAll())
        await keepReading(warehouse.load, day)
        expect(await inAll()).toEqual(replaced)
      }
      // Whether the version is there already, and the insert.
      expect(statements).toBe(3)
    },
  )

  const readers = Object.keys(WAYS) as Way[]
  test.each(readers)('a reader %s never sees a day that is missing or doubled', async (way) => {
    await read(1, [plan('p', { imp_pv: 10n }), plan('q', { imp_pv: 20n })])
    let isOver = false
    const reading = (async () => {
      let reads = 0
      while (!isOver) {
        expect(await inAll({}, way)).toEqual({ imp_pv: 30n })
        reads++
      }
      return reads
    })()
    for (let version = 2; version <= 100; version++) {
      const some = BigInt(version % 20)
      await read(version, [plan('p', { imp_pv: some }), plan('q', { imp_pv: 30n - some })])
      if (version % 25 === 0) await dropReplacedReadings(warehouse.load)
    }
    isOver = true
    expect(await reading).toBeGreaterThan(3)
  })

  test('readings that were replaced are removed, and what counts stays', async () => {
    for (const version of [1, 2, 3]) {
      await read(version, [plan('p', { cost: BigInt(version) })])
      await read(version, [plan('p', { cost: BigInt(version) })], { account_id: 'b 2', date: '2026-11-03' })
    }
    await read(9, [plan('p', { cost: 90n })], { adv_id: 2 })
    await fromFile(1, [{ ...plan('f', { cost: 1000n }), account_id: '' }])
    await fromFile(2, [{ ...plan('f', { cost: 2000n }), account_id: '' }])
    const before = await inAll()
    await dropReplacedReadings(warehouse.load)
    expect(await inAll()).toEqual(before)
    const left = await across().query(
      `SELECT source, toUInt32(version) AS version FROM report_day ORDER BY source, version`,
    )
    expect(left).toEqual([
      { source: 'file', version: 1 },
      { source: 'file', version: 2 },
      { source: 'platform', version: 3 },
      { source: 'platform', version: 3 },
      { source: 'platform', version: 9 },
    ])
  })

  test('refuses numbers that 64 bits do not hold', async () => {
    await expect(read(1, [plan('p', { cost: 2n ** 63n })])).rejects.toThrow(RangeError)
    expect(await reportSums(across(), YEAR)).toEqual([])
  })
})

describe('files beside platforms', () => {
  test('a platform outranks a file on the same account, day and plan, whatever the campaign is called', async () => {
    await fromFile(1, [plan('p', { cost: 1n, dy_like: 4n }, '春季'), plan('q', { cost: 10n }, '春季')])
    await read(1, [plan('p', { cost: 100n }, 'c')])
    expect(await inAll()).toEqual({ cost: 110n })
    expect(await reportSums(across(), YEAR, ['campaign'])).toEqual([
      { campaign_id: 'c', sums: { cost: 100n } },
      { campaign_id: '春季', sums: { cost: 10n } },
    ])
    // The platform takes the plan back: the file's word counts again.
    await read(2, [])
    expect(await inAll()).toEqual({ cost: 11n, dy_like: 4n })
  })

  test.each([
    ['another account', { account_id: 'b' }],
    ['no account', { account_id: '' }],
    ['another day', { date: '2026-11-02' }],
  ])('a file row of %s counts beside it', async (_, other) => {
    await fromFile(1, [{ ...plan('p', { cost: 1n }), ...other }])
    await read(1, [plan('p', { cost: 100n })])
    expect(await inAll()).toEqual({ cost: 101n })
  })

  test('both are read right before, while and after they have a day alike', async () => {
    await read(1, [plan('p', { cost: 5n })])
    await fromFile(2, [{ ...plan('p', { cost: 7n }), date: '2026-11-02' }])
    expect(await inAll()).toEqual({ cost: 12n })
    await fromFile(3, [plan('p', { cost: 9n }), plan('q', { cost: 1n })])
    for (const _ of ['first', 'again']) expect(await inAll()).toEqual({ cost: 13n })
    expect(await inAll({ from: '2026-11-02' })).toEqual({ cost: 7n })
    expect(await inAll()).toEqual({ cost: 13n })
    await removeRows(warehouse.load.everyShard, 'report_day', 'adv_id = 1 AND import_id = {id:UInt32}', { id: 3 })
    for (const _ of ['first', 'again']) expect(await inAll()).toEqual({ cost: 12n })
  })

  test('a row of a whole campaign is outranked where the platform has plans of the campaign', async () => {
    await fromFile(1, [plan('', { cost: 7n }), plan('', { cost: 70n }, 'd')])
    await read(1, [plan('p', { cost: 3n }), plan('q', { cost: 5n })])
    expect(await inAll()).toEqual({ cost: 78n })
  })
})

describe('sums', () => {
  test('equal keys are added, and rows of zeros are zero while missing metrics are not known', async () => {
    await fromFile(1, [plan('p', { cost: 3n, imp_pv: 0n }), plan('p', { cost: 4n }), plan('q', { dy_like: 1n })])
    const sums = await inAll()
    expect(sums).toEqual({ cost: 7n, imp_pv: 0n, dy_like: 1n })
    expect([metricValue('imp_pv', sums), metricValue('click_pv', sums), metricValue('click_rate', sums)]).toEqual([
      0,
      null,
      null,
    ])
  })

  test('are exact beyond 64 bits', async () => {
    const most = 2n ** 63n - 1n
    await read(1, [plan('p', { cost: most }), plan('q', { cost: most })])
    await read(1, [plan('p', { cost: most })], { date: '2026-11-02' })
    expect(await inAll()).toEqual({ cost: 3n * most })
  })

  test('are asked for days and campaigns', async () => {
    for (const date of ['2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03'])
      await read(1, [plan('p', { cost: 1n }), plan('q', { cost: 10n }, 'd'), plan('r', { cost: 100n }, "d'")], { date })
    expect(await inAll({ from: '2026-11-01', to: '2026-11-02' })).toEqual({ cost: 222n })
    expect(await inAll({ campaigns: ['d'] })).toEqual({ cost: 40n })
    expect(await inAll({ campaigns: ['d', "d'", 'd', 'none'] })).toEqual({ cost: 440n })
    expect(await reportSums(across(), { ...YEAR, campaigns: [] })).toEqual([])
    const many = Array.from({ length: 6000 }, (_, at) => (at === 5500 ? 'c' : `n${at}`))
    expect(await inAll({ campaigns: [...many, 'd'] })).toEqual({ cost: 44n })
  })

  const KEYS = ['cost', 'imp_pv', 'liuzi_pv'] as const satisfies readonly ReportedKey[]
  const aRow = fc.record({
    source: fc.constantFrom('file' as const, 'platform' as const),
    account_id: fc.constantFrom('', 'a', 'b'),
    date: fc.constantFrom('2026-11-01', '2026-11-02'),
    version: fc.integer({ min: 1, max: 3 }),
    campaign_id: fc.constantFrom('c', 'd'),
    plan_id: fc.constantFrom('', 'p', 'q'),
    metrics: fc.dictionary(fc.constantFrom(...KEYS), fc.bigInt({ min: 0n, max: 10n ** 15n })),
  })

  test('agree with plain loops over any rows, in every grouping', async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.array(aRow, { maxLength: 30 }), async (rows) => {
          await warehouse.load.acrossShards.insert(
            'report_day',
            rows.map((row) => ({
              ...row,
              adv_id: 1,
              metrics: Object.fromEntries(Object.entries(row.metrics).map(([key, value]) => [key, String(value)])),
              is_empty: 0,
              taken_at: 0,
              import_id: 0,
            })),
          )
          const newest = (row: (typeof rows)[number]) =>
            Math.max(
              ...rows
                .filter((one) => (['date', 'account_id', 'source'] as const).every((key) => one[key] === row[key]))
                .map(({ version }) => version),
            )
          const inForce = rows.filter((row) => row.version === newest(row))
          const counted = inForce.filter((row) => {
            const better = inForce.filter(
              (one) => one.source === 'platform' && one.date === row.date && one.account_id === row.account_id,
            )
            if (row.source === 'platform') return true
            return row.plan_id === ''
              ? !better.some((one) => one.campaign_id === row.campaign_id)
              : !better.some((one) => one.plan_id === row.plan_id)
          })
          for (const by of [[], ['day'], ['campaign'], ['account', 'campaign', 'plan'], ['campaign', 'day']] as const) {
            const columns = by.map(
              (one) => ({ day: 'date', account: 'account_id', campaign: 'campaign_id', plan: 'plan_id' })[one],
            )
            const expected = new Map<string, MetricSums>()
            for (const row of counted) {
              const name = columns.map((column) => row[column as 'date']).join('|')
              expected.set(name, addSums(expected.get(name) ?? {}, row.metrics))
            }
            for (const way of Object.keys(WAYS) as Way[]) {
              const found = await reportSums(across(way), YEAR, by)
              const sums = found.map(
                (one) => [columns.map((column) => one[column as never]).join('|'), one.sums] as const,
              )
              expect(new Map(sums), way).toEqual(expected)
            }
          }
        })
        .afterEach(() => warehouse.truncate()),
      { numRuns: 40 },
    )
  })
})
