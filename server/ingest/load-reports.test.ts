import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addSums, type MetricSums } from '#contract/activity/formulas.ts'
import { CELL_PATTERNS, type CellUnit, readCell } from '#contract/activity/metric-cell.ts'
import { REPORTED } from '#contract/activity/metrics.ts'
import type { ReportsMapping } from '#contract/import.ts'
import { sentenceOf } from '#contract/outcome.ts'
import type { Handles } from '../clickhouse/handles.ts'
import { reportSums } from '../reports/sums.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { loader, refusedPath } from './load.ts'
import type { LinkedPlan } from './load-types.ts'
import { cellSql, narrowSql } from './reading/reports.ts'
import { stages } from './stage.ts'
import { reportExtentOf, undoReports } from './undo/reports.ts'

let warehouse: TestWarehouse
beforeAll(async () => {
  warehouse = await testWarehouse()
})
beforeEach(() => warehouse.truncate())
afterAll(() => warehouse.close())

const NOW = Date.UTC(2026, 10, 20, 4)
const MAPPING: ReportsMapping = {
  kind: 'reports',
  date: 'date',
  campaign: 'campaign',
  plan: 'plan',
  account: 'account',
  metrics: [
    { column: 'cost', metric: 'cost' },
    { column: 'shows', metric: 'imp_pv' },
  ],
}
const HEAD = 'date,account,campaign,plan,cost,shows'
const csv = (...lines: string[]) => `${[HEAD, ...lines].join('\n')}\n`

let next = 1
interface Given {
  mapping?: ReportsMapping
  name?: string
  sliceRows?: number
  adv_id?: number
  engine?: Handles
  linked?: readonly LinkedPlan[]
}
async function load(content: string | Buffer, { mapping = MAPPING, name = 'a.csv', ...given }: Given = {}) {
  const import_id = next++
  const path = join(warehouse.dataDir, `report-${import_id}`)
  writeFileSync(path, content)
  const { loadFile } = loader({
    warehouse: { load: given.engine ?? warehouse.load, fileEngine: warehouse.fileEngine },
    timezone: 'Asia/Shanghai',
    dataDir: warehouse.dataDir,
    personKey: Buffer.alloc(32, 7),
    ...(given.sliceRows ? { sliceRows: given.sliceRows, sliceBytes: given.sliceRows * 20 } : {}),
  })
  const { adv_id = 1, linked } = given
  const of = linked ? { linked } : {}
  const loaded = await loadFile({
    import_id,
    adv_id,
    mapping,
    path,
    file_name: name,
    nowMs: NOW,
    attributes: [],
    ...of,
  })
  return { loaded, import_id, stage: stages(warehouse.load.everyShard, 'reports', import_id) }
}
async function imported(content: string | Buffer, given: Given = {}) {
  const { loaded, import_id, stage } = await load(content, given)
  await stage.join({ isAgain: false })
  await stage.drop()
  return { id: import_id, ...loaded }
}
const YEAR = { adv_id: 1, from: '2000-01-01', to: '2026-12-31' }
const inAll = async (adv_id = 1): Promise<MetricSums> =>
  (await reportSums(warehouse.live.acrossShards, { ...YEAR, adv_id }))[0]?.sums ?? {}
const extentOf = (id: number) => reportExtentOf(warehouse.live.acrossShards, { id, adv_id: 1 })
const undo = (id: number) => undoReports(warehouse.load.everyShard, { id, adv_id: 1 })

describe('a file of reports', () => {
  test('each row is stored or refused with its reason, and its lines add up', async () => {
    const { id, ...loaded } = await imported(
      csv(
        '2026-11-01,a,春季,p1,"1,234.5678",1000',
        '2026/11/2,a,春季,p1,¥2.5,--',
        '20261103,,春季,,,7',
        ',a,春季,p1,1,1',
        '昨天,a,春季,p1,1,1',
        '1999-12-31,a,春季,p1,1,1',
        '2026-11-22,a,春季,p1,1,1',
        '2026-11-21,a,春季,p1,3,1',
        '2026-11-01,a, ,p1,1,1',
        `2026-11-01,a,${'长'.repeat(201)},p1,1,1`,
        '2026-11-01,a,春季,p1,一元,1',
        '2026-11-01,a,春季,p1,-0.01,1',
        '2026-11-01,a,春季,p1,1,1.5',
        '2026-11-01,a,春季,p1,1,-3',
        `2026-11-01,a,春季,p1,${'9'.repeat(40)},1`,
        '2026-11-01,a,春季,p1,1,1000000000000001',
        '2026-11-01,a,春季',
        '合计,,,,1238.0678,1008',
      ),
    )
    expect(loaded).toMatchObject({ rows: 18, stored: 4, duplicate: 0, refused: 14, new_people: 0 })
    expect(loaded.reasons.map(({ outcome, rows }) => `${sentenceOf(outcome).slice(0, 12)} ${rows}`).sort()).toEqual(
      [
        '日期为空 1',
        '日期无法识别，可以写成  2',
        '日期早于 2000 年 1',
        '日期晚于明天 1',
        '活动为空 1',
        '活动、计划或账户超过 2 1',
        '「cost」不是金额 1',
        '「cost」是负数 1',
        '「shows」不是整数 1',
        '「shows」是负数 1',
        '「cost」超过上限 1',
        '「shows」超过上限 1',
        '列数与首行不一致 1',
      ].sort(),
    )
    expect(await inAll()).toEqual({ cost: 1_234_567_800n + 2_500_000n + 3_000_000n, imp_pv: 1008n })
    const lines = readFileSync(refusedPath(warehouse.dataDir, id), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(15)
    expect(lines[1]).toBe(',a,春季,p1,1,1,5,日期为空')
    expect(lines.find((line) => line.includes(',13,'))).toBe("2026-11-01,a,春季,p1,'-0.01,1,13,「cost」是负数")
  })

  test('is read the same in slices, with quotes, as NDJSON and compressed', async () => {
    const rows = Array.from({ length: 50 }, (_, at) => ({
      date: `2026-10-${String((at % 9) + 1).padStart(2, '0')}`,
      account: at % 2 ? 'a' : '',
      campaign: `c${at % 3}`,
      plan: `p${at % 7}`,
      cost: at === 4 ? 'x' : `${at}.123456`,
      shows: String(at * 10),
    }))
    const lines = rows.map((row) => Object.values(row).join(','))
    const quoted = rows.map((row) =>
      Object.values(row)
        .map((cell) => `"${cell}"`)
        .join(','),
    )
    const first = await imported(csv(...lines))
    const sums = await inAll()
    expect(first).toMatchObject({ rows: 50, stored: 49, refused: 1 })
    expect(sums.imp_pv).toBe(12_210n)
    const others: [string | Buffer, Given][] = [
      [csv(...lines), { sliceRows: 7 }],
      [csv(...quoted), { sliceRows: 5 }],
      [`${rows.map((row) => JSON.stringify(row)).join('\n')}\n`, { name: 'a.ndjson' }],
      [gzipSync(csv(...lines.toReversed())), { name: 'a.csv.gz' }],
    ]
    for (const [content, given] of others) {
      // The same days, so nothing changes.
      expect(await imported(content, given)).toMatchObject({ rows: 50, stored: 0, duplicate: 49, refused: 1 })
      expect(await inAll()).toEqual(sums)
    }
  })

  test('of Parquet is read with its own types', async () => {
    const path = join(warehouse.dataDir, 'report.parquet')
    const engine = await warehouse.fileEngine()
    await engine.command(
      `INSERT INTO FUNCTION file('${path}', 'Parquet') SELECT toDate('2026-11-01') + number AS date, toInt64(77) AS account,
         '春季' AS campaign, number AS plan, if(number = 1, NULL, 0.1 + 0.2) AS cost, toUInt64(5) AS shows FROM numbers(3)`,
    )
    expect(await imported(readFileSync(path), { name: 'a.parquet' })).toMatchObject({ rows: 3, stored: 3, refused: 0 })
    const found = await reportSums(warehouse.live.acrossShards, YEAR, ['day', 'account', 'plan'])
    expect(found).toEqual([
      { date: '2026-11-01', account_id: '77', plan_id: '0', sums: { cost: 300_000n, imp_pv: 5n } },
      { date: '2026-11-02', account_id: '77', plan_id: '1', sums: { imp_pv: 5n } },
      { date: '2026-11-03', account_id: '77', plan_id: '2', sums: { cost: 300_000n, imp_pv: 5n } },
    ])
  })

  test('without accounts and plans belongs to no account', async () => {
    const mapping: ReportsMapping = {
      kind: 'reports',
      date: 'd',
      campaign: 'c',
      metrics: [{ column: 'n', metric: 'dy_like' }],
    }
    await imported('d,c,n\n2026-11-01,春,1\n2026-11-01,春,2\n', { mapping })
    await imported(csv('2026-11-01,a,春,p,1,1'))
    const found = await reportSums(warehouse.live.acrossShards, YEAR, ['account', 'campaign', 'plan'])
    expect(found).toEqual([
      { account_id: '', campaign_id: '春', plan_id: '', sums: { dy_like: 3n } },
      { account_id: 'a', campaign_id: '春', plan_id: 'p', sums: { cost: 1_000_000n, imp_pv: 1n } },
    ])
  })

  test('with every metric reads every column', async () => {
    const mapping: ReportsMapping = {
      kind: 'reports',
      date: 'd',
      campaign: 'c',
      metrics: REPORTED.map((metric) => ({ column: `col ${metric}`, metric })),
    }
    const head = ['d', 'c', ...REPORTED.map((metric) => `col ${metric}`)].join(',')
    const wrong = REPORTED.map(
      (_, at) => `2026-11-01,c,${REPORTED.map((_, other) => (other === at ? '-5' : '5')).join(',')}`,
    )
    const loaded = await imported(
      `${head}\n2026-11-01,c,${REPORTED.map((_, at) => at).join(',')}\n${wrong.join('\n')}\n`,
      { mapping },
    )
    expect(loaded).toMatchObject({ stored: 1, refused: REPORTED.length })
    expect(loaded.reasons.map(({ outcome }) => sentenceOf(outcome)).sort()).toEqual(
      REPORTED.map((metric) => `「col ${metric}」是负数`).sort(),
    )
    expect(Object.keys(await inAll()).sort()).toEqual([...REPORTED].sort())
  })

  test('refuses a mapping whose columns are missing or whose metric has two', async () => {
    const given = (metrics: ReportsMapping['metrics']) =>
      imported(csv('2026-11-01,a,c,p,1,1'), { mapping: { ...MAPPING, metrics } })
    await expect(given([{ column: 'costs', metric: 'cost' }])).rejects.toThrow('文件中没有列「costs」')
    const twice = [...MAPPING.metrics, { column: 'shows', metric: 'cost' as const }]
    await expect(given(twice)).rejects.toThrow('两列都是「消耗」')
  })
})

describe('days', () => {
  const WEEK = ['2026-11-09', '2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-14', '2026-11-15']
  const week = (cost: number) => csv(...WEEK.map((day) => `${day},a,c,p,${cost},1`))

  test('the same file twice changes nothing', async () => {
    const first = await imported(week(1))
    expect(await imported(week(1))).toMatchObject({ rows: 7, stored: 0, duplicate: 7, refused: 0 })
    expect(await inAll()).toEqual({ cost: 7_000_000n, imp_pv: 7n })
    expect(first).toMatchObject({ stored: 7, duplicate: 0 })
  })

  test('a correction of last week replaces it and never doubles', async () => {
    await imported(week(1))
    const corrected = csv(...WEEK.slice(3).map((day) => `${day},a,c,p,5,2`), '2026-11-16,a,c,p,5,2')
    expect(await imported(corrected)).toMatchObject({ stored: 5, duplicate: 0 })
    expect(await inAll()).toEqual({ cost: 28_000_000n, imp_pv: 13n })
    // A plan that the corrected day no longer has is gone with it.
    expect(await imported(csv('2026-11-16,a,c,q,1,1'))).toMatchObject({ stored: 1 })
    expect(await inAll()).toEqual({ cost: 24_000_000n, imp_pv: 12n })
  })

  test('a longer export adds its new days, and days of another account stay', async () => {
    await imported(week(1))
    const longer = `${week(1)}2026-11-16,a,c,p,1,1\n2026-11-15,b,c,p,1,1\n`
    expect(await imported(longer)).toMatchObject({ rows: 9, stored: 2, duplicate: 7 })
    expect(await inAll()).toEqual({ cost: 9_000_000n, imp_pv: 9n })
  })

  test('equal rows of a file are added, and one more of them is another day', async () => {
    await imported(csv('2026-11-01,a,c,p,1,1', '2026-11-01,a,c,p,1,1'))
    expect(await inAll()).toEqual({ cost: 2_000_000n, imp_pv: 2n })
    expect(await imported(csv('2026-11-01,a,c,p,1,1'))).toMatchObject({ stored: 1, duplicate: 0 })
    expect(await inAll()).toEqual({ cost: 1_000_000n, imp_pv: 1n })
  })

  test('what is not as somebody expects is told: no plan has it, it counts twice, or it is gone with its day', async () => {
    const linked = [{ account_id: 'a', plan_id: 'p' }]
    const told = async (lines: string[], mapping = MAPPING) =>
      (await imported(csv(...lines), { linked, mapping })).warnings.map(({ outcome, rows }) => [outcome.code, rows])
    const day = '2026-11-09'
    expect(await told([`${day},a,c,p,1,1`])).toEqual([])
    // By name, on another account, and of a whole campaign.
    expect(await told([`${day},a,c,p,1,1`, `${day},a,c,计划甲,1,1`, `${day},b,c,p,1,1`, `${day},a,c,,1,1`])).toEqual([
      ['report_rows_unlinked', 3],
    ])
    // The correction of one plan leaves out the others of the day.
    expect(await told([`${day},a,其他名称,p,2,2`])).toEqual([['report_rows_gone', 2]])
    const { account: _, ...unnamed } = MAPPING
    expect(await told([`${day},x,c,p,2,2`, `2026-11-10,x,c,p,2,2`], unnamed)).toEqual([['report_rows_doubled', 1]])
    expect(await told([`2026-11-10,a,c,p,2,2`])).toEqual([['report_rows_doubled', 1]])
    expect((await imported(csv(`${day},a,c,p,x,2`), { linked })).warnings).toEqual([])
    expect(await told(Array(3).fill('2026-11-11,a,c,p,2,2'))).toEqual([['report_rows_alike', 3]])
    // A refused line leaves nothing of its plan.
    expect(await told(['2026-11-11,a,c,p,,x', '2026-11-11,a,c,q,1,1'])).toEqual([
      ['report_rows_gone', 3],
      ['report_rows_unlinked', 1],
    ])
    await imported(csv('2026-11-12,a,c,p,2,2'), { linked })
    const costs = { ...MAPPING, metrics: MAPPING.metrics.filter(({ metric }) => metric === 'cost') }
    const poorer = await imported(csv('2026-11-12,a,c,p,3,3'), { linked, mapping: costs })
    expect(poorer.warnings.map(({ outcome }) => outcome)).toEqual([
      { code: 'report_metrics_gone', params: { labels: ['曝光量'] } },
    ])
  })

  test('an undo brings back what the file replaced', async () => {
    await imported(week(1))
    const before = await inAll()
    const second = await imported(week(9))
    expect(await extentOf(second.id)).toEqual({ rows: 7, people: 0, taken_over: [] })
    await undo(second.id)
    expect(await inAll()).toEqual(before)
    expect(await imported(week(9))).toMatchObject({ stored: 7 })
  })

  test('an undo leaves the days that another import brought alike', async () => {
    const first = await imported(week(1))
    const second = await imported(csv('2026-11-15,a,c,p,1,1', '2026-11-16,a,c,p,1,1'))
    expect(second).toMatchObject({ stored: 1, duplicate: 1 })
    expect(await extentOf(first.id)).toEqual({ rows: 7, people: 0, taken_over: [{ import_id: second.id, rows: 1 }] })
    expect(await extentOf(second.id)).toEqual({ rows: 1, people: 0, taken_over: [] })
    await undo(first.id)
    expect(await inAll()).toEqual({ cost: 2_000_000n, imp_pv: 2n })
    expect(await extentOf(second.id)).toEqual({ rows: 2, people: 0, taken_over: [] })
    await undo(second.id)
    expect(await inAll()).toEqual({})
  })

  const aFile = fc.array(
    fc.record({
      date: fc.constantFrom('2026-11-01', '2026-11-02'),
      account: fc.constantFrom('', 'a'),
      plan: fc.constantFrom('p', 'q'),
      cost: fc.integer({ min: 0, max: 3 }),
      shows: fc.constantFrom('', '1', 'x'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  type Line = typeof aFile extends fc.Arbitrary<(infer Row)[]> ? Row : never

  test('whatever files come and are undone, the newest word on each day counts', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc
        .asyncProperty(
          fc.array(fc.record({ lines: aFile, undoes: fc.option(fc.nat({ max: 3 })) }), { minLength: 1, maxLength: 5 }),
          async (steps) => {
            const files: { id: number; lines: Line[] }[] = []
            const dayOf = ({ date, account }: Line) => `${date} ${account}`
            const inForce = () => {
              const days = new Map<string, Line[]>()
              for (const { lines } of files) for (const [day, rows] of Map.groupBy(lines, dayOf)) days.set(day, rows)
              return days
            }
            const textOf = (rows: Line[]) => rows.map((row) => JSON.stringify(row)).sort()
            for (const { lines, undoes } of steps) {
              const good = lines.filter(({ shows }) => shows !== 'x')
              const known = inForce()
              const same = [...Map.groupBy(good, dayOf)].filter(
                ([day, rows]) => JSON.stringify(textOf(rows)) === JSON.stringify(textOf(known.get(day) ?? [])),
              )
              const duplicate = same.reduce((sum, [, rows]) => sum + rows.length, 0)
              const loaded = await imported(
                csv(
                  ...lines.map(({ date, account, plan, cost, shows }) =>
                    [date, account, 'c', plan, cost, shows].join(','),
                  ),
                ),
                { sliceRows: 2 },
              )
              expect(loaded).toMatchObject({
                rows: lines.length,
                stored: good.length - duplicate,
                duplicate,
                refused: lines.length - good.length,
              })
              files.push({ id: loaded.id, lines: good })
              const gone = undoes === null ? undefined : files[undoes]
              if (gone) {
                files.splice(undoes ?? 0, 1)
                await undo(gone.id)
              }
              const rows = [...inForce().values()].flat()
              const expected = rows
                .map(
                  ({ cost, shows }): MetricSums => ({
                    cost: BigInt(cost) * 1_000_000n,
                    ...(shows === '1' ? { imp_pv: 1n } : {}),
                  }),
                )
                .reduce(addSums, {})
              expect(await inAll()).toEqual(expected)
            }
          },
        )
        .afterEach(() => warehouse.truncate()),
      { numRuns: 12 },
    )
  })

  test('a kill between any two statements of the join leaves all of it or nothing, and it is finished', async () => {
    await imported(week(1))
    let before = await inAll()
    let isOver = false
    let kills = 0
    for (let at = 0; !isOver; at++) {
      const { import_id } = await load(week(at + 2), { sliceRows: 2 })
      const after = { cost: BigInt(at + 2) * 7_000_000n, imp_pv: 7n }
      const engine = killedAt(at, warehouse.load)
      isOver = await stages(engine.everyShard, 'reports', import_id)
        .join({ isAgain: false })
        .then(
          () => true,
          () => false,
        )
      if (!isOver) kills++
      expect([before, after]).toContainEqual(await inAll())
      const stage = stages(warehouse.load.everyShard, 'reports', import_id)
      await stage.join({ isAgain: true })
      expect(await inAll()).toEqual(after)
      await stage.drop()
      before = after
    }
    // The partitions of the stage, and their joining.
    expect(kills).toBe(4)
  })

  test('a stage is one part, so that it is joined at once', async () => {
    const { import_id } = await load(week(3), { sliceRows: 2 })
    const parts = await warehouse.load.acrossShards.query(
      `SELECT name FROM system.parts WHERE database = currentDatabase() AND active
       AND table = '${stages(warehouse.load.everyShard, 'reports', import_id).stage('report_day')}'`,
    )
    expect(parts).toHaveLength(1)
  })

  test('advertisers do not see each other', async () => {
    await imported(week(1))
    expect(await imported(week(1), { adv_id: 2 })).toMatchObject({ stored: 7, duplicate: 0 })
    await imported(week(5), { adv_id: 2 })
    expect(await inAll()).toEqual({ cost: 7_000_000n, imp_pv: 7n })
    expect(await inAll(2)).toEqual({ cost: 35_000_000n, imp_pv: 7n })
  })
})

/** Handles whose process is killed at the given statement: it and the next ones fail, some after they were carried out. */
function killedAt(at: number, handles: Handles): Handles {
  let count = 0
  const guard = <T extends object>(on: T): T =>
    new Proxy(on, {
      get: (target, name, receiver) => {
        const own = Reflect.get(target, name, receiver)
        if (typeof own !== 'function') return own
        return async (...given: unknown[]) => {
          const number = count++
          // Every statement is killed once before it and once after it.
          if (number < Math.floor(at / 2)) return own.apply(target, given)
          if (number === Math.floor(at / 2) && at % 2 === 1) await own.apply(target, given)
          throw new Error('killed')
        }
      },
    })
  return {
    acrossShards: guard(handles.acrossShards),
    oneNode: guard(handles.oneNode),
    everyShard: guard(handles.everyShard),
  }
}

describe('the SQL of a cell', () => {
  async function inSql(unit: CellUnit, cells: readonly string[]) {
    const { value, unreadable, negative, tooLarge } = cellSql(unit, 'cell')
    const found = await warehouse.live.oneNode.query<{ at: number; said: string }>(
      `SELECT at, multiIf(${unreadable}, 'unreadable', ${negative}, 'negative', ${tooLarge}, 'too_large',
         ${value} < 0, 'none', toString(${value})) AS said
       FROM (SELECT pair.1 AS at, ${narrowSql('trimBoth(pair.2)')} AS cell FROM (SELECT arrayJoin(arrayZip(
         range(toUInt64({n:UInt32})), {cells:Array(String)})) AS pair)) ORDER BY at`,
      { cells, n: cells.length },
    )
    return found.map(({ said }) => said)
  }
  const inCode = (unit: CellUnit, cell: string) => {
    const read = readCell(unit, cell)
    return read === null ? 'none' : String(read)
  }
  const UNITS = Object.keys(CELL_PATTERNS) as CellUnit[]

  test.each(UNITS)('says of %s what the code says', async (unit) => {
    const digits = fc.stringMatching(/^[0-9]{1,18}$/)
    const written = fc
      .tuple(
        fc.constantFrom('', '', '-', '+', ' '),
        fc.constantFrom('', '', '¥', '￥', '¥ ', '$'),
        fc.oneof(
          digits,
          digits.map((text) => text.replace(/\B(?=(\d{3})+(?!\d))/g, ',')),
          digits.map((text) => text.replace(/\d/g, (digit) => '０１２３４５６７８９'.charAt(Number(digit)))),
          fc.constant(''),
        ),
        fc.constantFrom('', '.', '.0', '．5', '.000', '.5', '.1234564', '.1234565', '.9999995', '.00000049', ',5'),
        fc.constantFrom('', '', ' ', '元', ' 元', '%', 'e3'),
      )
      .map((parts) => parts.join(''))
    const cells = fc.oneof(
      { weight: 5, arbitrary: written },
      fc.constantFrom('', '-', '--', '0', '1000000000', '1000000000000000', '1000000000000001', 'NaN', '.'),
      fc.string({ maxLength: 8 }).map((text) => text.replace(/\p{Cc}/gu, '')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(cells, { minLength: 200, maxLength: 400 }), async (all) => {
        const said = await inSql(unit, all)
        expect(all.map((cell, at) => [cell, said[at]])).toEqual(all.map((cell) => [cell, inCode(unit, cell)]))
      }),
      { numRuns: 20 },
    )
  })
})
