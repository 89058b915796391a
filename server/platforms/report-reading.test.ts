import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultOf } from '../testing/platform-world.ts'
import { UnreadableCell } from './report-cells.ts'
import type { ReportCells, ReportRow } from './report-platform.ts'
import { accountDays, type ReportSource, wholeReport } from './report-reading.ts'

const RANGE = { from: '2026-11-01', to: '2026-11-03' }
const row = (date: string, plan_id: string, cells: ReportCells): ReportRow => ({ date, plan_id, cells })
const ROWS = [
  row('2026-11-01', 'p', { cost: 10n, imp_pv: 1n }),
  row('2026-11-01', 'q', { cost: 5n, imp_pv: 2n }),
  row('2026-11-03', 'p', { cost: 7n, imp_pv: 3n }),
]
const TOTALS: [string, ReportCells][] = [
  ['2026-11-01', { cost: 15n, imp_pv: 3n }],
  ['2026-11-03', { cost: 7n, imp_pv: 3n }],
]

/** A platform that answers with these, page by page. */
function platform(given: Partial<ReportSource> & { rows?: readonly ReportRow[] } = {}) {
  const asked: string[] = []
  const source: ReportSource = {
    pageSize: 2,
    rowsMost: 100,
    async page({ from, to }, page) {
      asked.push(`${from} ${to} ${page}`)
      const rows = (given.rows ?? ROWS).filter(({ date }) => from <= date && date <= to)
      const some = rows.slice((page - 1) * 2, page * 2)
      return { rows: some, listed: some.length, total: rows.length }
    },
    totals: async ({ from, to }) => new Map(TOTALS.filter(([date]) => from <= date && date <= to)),
    ...given,
  }
  return { source, asked }
}
const totals = (...answers: [string, ReportCells][][]) => {
  let at = 0
  return async () => new Map(answers[Math.min(at++, answers.length - 1)])
}

test('an answer with fewer days than the platform has says nothing of the others', async () => {
  expect(accountDays([['2026-11-01', { cost: 1n }]], 1)).toEqual(new Map([['2026-11-01', { cost: 1n }]]))
  expect(accountDays([], 0)).toEqual(new Map())
  expect(await faultOf(Promise.try(() => accountDays([], 3)))).toMatchObject({ kind: 'later' })
})

test('every day has its plans, and one on which nothing happened has none', async () => {
  const { source, asked } = platform()
  expect(await wholeReport(source, RANGE)).toEqual([
    {
      date: '2026-11-01',
      plans: [
        { plan_id: 'p', cells: { cost: 10n, imp_pv: 1n } },
        { plan_id: 'q', cells: { cost: 5n, imp_pv: 2n } },
      ],
      rest: [],
      fault: null,
    },
    { date: '2026-11-02', plans: [], rest: [], fault: null },
    { date: '2026-11-03', plans: [{ plan_id: 'p', cells: { cost: 7n, imp_pv: 3n } }], rest: [], fault: null },
  ])
  expect(asked).toEqual(['2026-11-01 2026-11-03 1', '2026-11-01 2026-11-03 2'])
})

const faults = async (given: Parameters<typeof platform>[0]) =>
  (await wholeReport(platform(given).source, RANGE)).map(({ fault }) => fault)
const differs = (date: string, metric: string) => ({ code: 'report_sums_differ', params: { date, metric } })

describe('the sums of a day', () => {
  test.each<[string, Parameters<typeof platform>[0], unknown[]]>([
    ['of plans that lack one', { rows: ROWS.slice(1) }, [differs('2026-11-01', '消耗'), null, null]],
    [
      'of a day that the account does not have',
      { totals: totals([...TOTALS.slice(0, 1)]) },
      [null, null, differs('2026-11-03', '消耗')],
    ],
    [
      'of a day that only the account has',
      { totals: totals([...TOTALS, ['2026-11-02', { imp_pv: 1n }]]) },
      [null, differs('2026-11-02', '曝光量'), null],
    ],
    [
      'that grew while the rows were read',
      { totals: totals(TOTALS, [['2026-11-01', { cost: 20n }], ...TOTALS.slice(1)]) },
      [null, null, null],
    ],
    [
      'that had begun since',
      { totals: totals(TOTALS.slice(0, 1), [...TOTALS.slice(0, 1), ['2026-11-03', { cost: 9n, imp_pv: 3n }]]) },
      [null, null, null],
    ],
    [
      'that lie outside of both',
      { totals: totals([['2026-11-01', { cost: 16n }]], [['2026-11-01', { cost: 20n }]]), rows: ROWS.slice(0, 2) },
      [differs('2026-11-01', '消耗'), null, null],
    ],
    [
      'without a metric that only one side has',
      {
        totals: totals([
          ['2026-11-01', { cost: 15n, dy_like: 9n }],
          ['2026-11-03', { cost: 7n }],
        ]),
      },
      [null, null, null],
    ],
  ])('%s', async (_, given, expected) => {
    expect(await faults(given)).toEqual(expected)
  })

  const late = (covert_cnt: bigint, more: ReportCells = {}): [string, ReportCells][] => [
    ['2026-11-01', { cost: 15n, imp_pv: 3n, covert_cnt, ...more }],
    ...TOTALS.slice(1),
  ]
  const withOne = [row('2026-11-01', 'p', { cost: 15n, imp_pv: 3n, covert_cnt: 2n }), ...ROWS.slice(2)]
  test.each<[string, ReportRow[], [string, ReportCells][], string[], unknown]>([
    ['more conversions are the rest', withOne, late(5n), ['covert_cnt'], null],
    ['equal ones leave none', withOne, late(2n), [], null],
    ['fewer are wrong', withOne, late(1n), [], differs('2026-11-01', '转化数')],
    [
      'more shows are wrong: a plan that was shown is missing',
      withOne,
      late(5n, { imp_pv: 4n }),
      [],
      differs('2026-11-01', '曝光量'),
    ],
  ])('of a platform that leaves out plans without a show: %s', async (_, rows, sums, rest, fault) => {
    const { source } = platform({ rows, totals: totals(sums), leavesOutUnseen: true })
    expect((await wholeReport(source, RANGE))[0]).toMatchObject({ rest, fault })
    const strict = platform({ rows, totals: totals(sums) }).source
    const isEqual = rest.length === 0 && fault === null
    expect((await wholeReport(strict, RANGE))[0]?.fault === null).toBe(isEqual)
  })

  test('include what belongs to no plan, which is the rest', async () => {
    const rows = [...ROWS, { date: '2026-11-03', plan_id: null, cells: { cost: 4n, imp_pv: 1n } }]
    const sums: [string, ReportCells][] = [...TOTALS.slice(0, 1), ['2026-11-03', { cost: 11n, imp_pv: 4n }]]
    expect((await wholeReport(platform({ rows, totals: totals(sums) }).source, RANGE))[2]).toEqual({
      date: '2026-11-03',
      plans: [{ plan_id: 'p', cells: { cost: 7n, imp_pv: 3n } }],
      rest: ['cost', 'imp_pv'],
      fault: null,
    })
    expect(await faults({ rows })).toEqual([null, null, differs('2026-11-03', '消耗')])
  })

  test('are read again before a day counts as different', async () => {
    const wrong: [string, ReportCells][] = [['2026-11-01', { cost: 99n }], ...TOTALS.slice(1)]
    expect(await faults({ totals: totals(wrong, wrong, TOTALS) })).toEqual([null, null, null])
  })

  test('of any rows are those of plain loops', async () => {
    const anyRow = fc.record({
      date: fc.constantFrom('2026-11-01', '2026-11-02', '2026-11-03'),
      plan_id: fc.constantFrom('a', 'b', 'c', 'd'),
      cells: fc.record({ cost: fc.bigInt(-(10n ** 12n), 10n ** 12n), imp_pv: fc.bigInt(0n, 10n ** 9n) }),
    })
    const anyRows = fc.uniqueArray(anyRow, { selector: ({ date, plan_id }) => `${date} ${plan_id}` })
    await fc.assert(
      fc.asyncProperty(anyRows, async (rows) => {
        const ofDay = Map.groupBy(rows, ({ date }) => date)
        const sums = [...ofDay].map(([date, own]): [string, ReportCells] => [
          date,
          {
            cost: own.reduce((sum, { cells }) => sum + cells.cost, 0n),
            imp_pv: own.reduce((sum, { cells }) => sum + cells.imp_pv, 0n),
          },
        ])
        const days = await wholeReport(platform({ rows, totals: totals(sums) }).source, RANGE)
        expect(days.every(({ fault }) => fault === null)).toBe(true)
        expect(days.flatMap(({ plans }) => plans)).toHaveLength(rows.length)
      }),
    )
  })
})

describe('pages', () => {
  const pageOf = (answer: (page: number) => readonly ReportRow[], total: (page: number) => number = () => 3) => ({
    page: async (_: unknown, page: number) => ({
      rows: [...answer(page)],
      listed: answer(page).length,
      total: total(page),
    }),
  })
  test.each([
    ['that repeat one', pageOf(() => ROWS.slice(0, 2))],
    ['that lack one', pageOf((page) => (page === 1 ? ROWS.slice(0, 2) : []))],
    [
      'of a list that changes',
      pageOf(
        (page) => ROWS.slice((page - 1) * 2, page * 2),
        (page) => 2 + page,
      ),
    ],
    ['of a row that cannot be read', { page: async () => ({ rows: ROWS.slice(0, 1), listed: 2, total: 2 }) }],
    ['of another range', { rows: [], page: async () => ({ rows: [row('2026-12-01', 'p', {})], listed: 1, total: 1 }) }],
    ['with a cell that is no number', { page: async () => Promise.reject(new UnreadableCell('x')) }],
  ])('%s are no report', async (_, given) => {
    expect((await faultOf(wholeReport(platform(given).source, RANGE))).kind).toBe('later')
  })

  test('a range with too many rows is read in halves, down to a day', async () => {
    const { source, asked } = platform({ rowsMost: 2 })
    expect(await wholeReport(source, RANGE)).toEqual(await wholeReport(platform().source, RANGE))
    expect(asked).toEqual(['2026-11-01 2026-11-03 1', '2026-11-01 2026-11-01 1', '2026-11-02 2026-11-03 1'])
    const days = await wholeReport(platform({ rowsMost: 1 }).source, RANGE)
    expect(days.map(({ fault }) => fault)).toEqual([
      { code: 'report_rows_many', params: { date: '2026-11-01', max: 1 } },
      null,
      null,
    ])
  })
})
