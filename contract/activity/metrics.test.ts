import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RowBudgets } from './budget.ts'
import { addSums, type DerivedKey, derive, FORMULAS, isDerived, type MetricSums, metricValue } from './formulas.ts'
import { CELL_MAX, readCell } from './metric-cell.ts'
import { budgetWords, metricWords, shortMetricWords } from './metric-words.ts'
import {
  METRIC_KEYS,
  type MetricKey,
  metricOf,
  metricTip,
  REPORTED,
  SHORT_METRICS,
  unitOf,
  visibleMetrics,
} from './metrics.ts'
import { fenOf, rounded, wireNumber } from './money.ts'

/** The columns that reports of activities have, in their order. */
const SPECIFIED = `status, budget, cost, creator, created_at, imp_pv, click_pv, click_rate, land_pv, browse_land_pv,
land_browse_count, visit_shopping_pv, place_order_pv, pay_pv, place_order_goods_count, order_amount, pay_goods_count,
pay_amount, share_count, qr_code_pv, click_gzh_pv, click_luckydraw_pv, winning_count, liuzi_pv, product_name,
advertiser_name, cpm_platform, pay_order_cnt, create_order_amount, create_order_count, pay_order_amount,
create_order_roi, pay_order_roi, prepay_order_cnt, prepay_order_amount, dy_follow, covert_cnt, convert_cost,
convert_rate, dy_share, dy_comment, dy_like, pay_per_order, live_enter_cnt, live_watch_one_minute_cnt,
live_fans_club_join_cnt, live_slidecart_click_cnt, live_click_product_cnt, live_comment_cnt, live_share_cnt,
live_gift_cnt, live_gift_amount, gdt_view_count, gdt_ctr, gdt_valid_click_count, gdt_cpc, gdt_cost,
coupon_activity_pv, coupon_activity_uv, coupon_total_take, coupon_take_uv, coupon_total_used, coupon_used_uv,
coupon_take_pv_cost, coupon_take_uv_cost, coupon_used_pv_cost, coupon_used_uv_cost`.split(/,\s+/)

describe('the table of metrics', () => {
  test('has every column once, in order', () => expect(METRIC_KEYS).toEqual(SPECIFIED))

  test('labels differ', () => expect(new Set(METRIC_KEYS.map((key) => metricOf(key).label)).size).toBe(67))

  test.each<[MetricKey, string]>([
    ['imp_pv', '来源：平台数据'],
    ['click_rate', '点击量 ÷ 曝光量。来源：计算指标'],
    ['liuzi_pv', '提交线索的次数。来源：自有事件，没有时为平台数据'],
    ['creator', '来源：活动信息'],
  ])('%s explains itself: %s', (key, words) => expect(metricTip(key)).toBe(words))

  test('the shorter list goes from land_pv to liuzi_pv and nothing else is in the restricted view', () => {
    const range = SPECIFIED.slice(SPECIFIED.indexOf('land_pv'), SPECIFIED.indexOf('liuzi_pv') + 1)
    expect(SHORT_METRICS).toEqual(range)
    expect(visibleMetrics(METRIC_KEYS, { see_restricted: false })).toEqual(range)
    expect(visibleMetrics(METRIC_KEYS, { see_restricted: true })).toEqual(SPECIFIED)
    expect(visibleMetrics(['cost', 'pay_pv'], { see_restricted: false })).toEqual(['pay_pv'])
  })

  test('people, texts and computed values do not add up; all other numbers do', () => {
    for (const key of METRIC_KEYS) {
      const { format, from, adds } = metricOf(key)
      const isNumber = format === 'count' || format === 'number' || format === 'money'
      expect(adds, key).toBe(isNumber && from[0] !== 'formula' && !key.endsWith('_uv'))
    }
  })

  test('a column is computed exactly if it has a formula', () => {
    for (const key of METRIC_KEYS) expect(isDerived(key), key).toBe(metricOf(key).from[0] === 'formula')
  })

  test('what is stored of platforms is what comes from platforms', () => {
    expect(new Set(REPORTED)).toEqual(new Set(METRIC_KEYS.filter((key) => metricOf(key).from.includes('platform'))))
  })

  test.each<[MetricKey, string | null]>([
    ['budget', 'fen'],
    ['cost', 'micros'],
    ['order_amount', 'micros'],
    ['gdt_cost', 'micros'],
    // Coins, not money.
    ['live_gift_amount', 'whole'],
    ['imp_pv', 'whole'],
    ['coupon_take_uv', 'whole'],
    ['click_rate', null],
    ['pay_per_order', null],
    ['status', null],
    ['created_at', null],
  ])('%s is added in %s', (key, unit) => expect(unitOf(key)).toBe(unit))
})

describe('computed metrics', () => {
  /** 1,234.5 yuan and so on. */
  const SUMS: MetricSums = {
    cost: 1_234_500_000n,
    imp_pv: 30_000n,
    click_pv: 700n,
    covert_cnt: 9n,
    create_order_amount: 5_000_000_000n,
    pay_order_amount: 4_000_000_000n,
    prepay_order_amount: 500_000_000n,
    pay_order_cnt: 30n,
    gdt_cost: 200_000_000n,
    gdt_view_count: 8000n,
    gdt_valid_click_count: 300n,
    coupon_total_take: 400n,
    coupon_take_uv: 350n,
    coupon_total_used: 90n,
    coupon_used_uv: 80n,
  }
  test.each<[DerivedKey, number]>([
    ['click_rate', 0.0233],
    ['cpm_platform', 4115],
    ['convert_cost', 13_717],
    ['convert_rate', 0.0129],
    ['create_order_roi', 4.05],
    ['pay_order_roi', 3.65],
    ['pay_per_order', 13_333],
    ['gdt_ctr', 0.0375],
    ['gdt_cpc', 67],
    ['coupon_take_pv_cost', 309],
    ['coupon_take_uv_cost', 353],
    ['coupon_used_pv_cost', 1372],
    ['coupon_used_uv_cost', 1543],
  ])('%s is %d', (key, value) => {
    expect(metricValue(key, SUMS)).toBe(value)
    const { under } = FORMULAS[key]
    expect(metricValue(key, { ...SUMS, [under]: 0n }), 'divided by zero').toBeNull()
    expect(metricValue(key, { ...SUMS, [under]: null }), 'divided by what is not known').toBeNull()
    const none = Object.fromEntries(FORMULAS[key].over.map((part) => [part, null]))
    expect(metricValue(key, { ...SUMS, ...none }), 'of what is not known').toBeNull()
    const zero = Object.fromEntries(FORMULAS[key].over.map((part) => [part, 0n]))
    if (!FORMULAS[key].over.some((part) => part === under)) expect(metricValue(key, { ...SUMS, ...zero })).toBe(0)
  })

  test('every formula has an example', () => {
    for (const key of Object.keys(FORMULAS) as DerivedKey[]) expect(metricValue(key, SUMS), key).not.toBeNull()
  })

  test('a platform without presales has a return of its payments', () => {
    expect(metricValue('pay_order_roi', { ...SUMS, prepay_order_amount: null })).toBe(3.24)
  })

  test('an amount is rounded once, from the sums', () => {
    // 0.0049999996 yuan a click: rounded to millionths first, it would become a whole fen.
    const sums = { cost: 49_999_996n, covert_cnt: 10_000n }
    expect(derive('convert_cost', sums)).toEqual({ over: 49_999_996n, under: 10_000n })
    expect(metricValue('convert_cost', sums)).toBe(0)
    expect(metricValue('convert_cost', { cost: 50_000_000n, covert_cnt: 10_000n })).toBe(1)
  })

  test('sums on the wire: money in fen, counts as they are, what is not known as null', () => {
    const sums = { cost: 12_345_678n, order_amount: 5000n, imp_pv: 7n, budget: 100n, dy_like: null }
    const keys = ['cost', 'order_amount', 'imp_pv', 'budget', 'dy_like', 'dy_share'] as const
    expect(keys.map((key) => metricValue(key, sums))).toEqual([1235, 1, 7, 100, null, null])
  })
})

describe('sums', () => {
  const aMoney = fc.bigInt({ min: 0n, max: CELL_MAX })
  const aRow = fc.record(
    {
      cost: fc.option(aMoney),
      pay_order_amount: fc.option(aMoney),
      budget: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      imp_pv: fc.option(fc.bigInt({ min: 0n, max: CELL_MAX })),
    },
    { requiredKeys: [] },
  )

  /** Adds the rows of each group, then the groups. */
  const inGroups = (rows: readonly MetricSums[], groups: readonly number[]) => {
    const sums = [...Map.groupBy(rows, (_, at) => groups[at % groups.length] ?? 0).values()]
    return sums.map((group) => group.reduce(addSums, {})).reduce(addSums, {})
  }
  const known = (sums: MetricSums) => Object.fromEntries(Object.entries(sums).filter(([, value]) => value !== null))

  test('budgets, costs and counts add up to the same in every order and grouping', () => {
    fc.assert(
      fc.property(
        fc
          .array(aRow, { maxLength: 40 })
          .chain((rows) =>
            fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length })),
          ),
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 40 }),
        ([rows, shuffled], groups) => {
          const expected: Record<string, bigint> = {}
          for (const row of rows)
            for (const [key, value] of Object.entries(row))
              if (value !== null && value !== undefined) expected[key] = (expected[key] ?? 0n) + value
          expect(known(rows.reduce(addSums, {}))).toEqual(expected)
          expect(known(inGroups(shuffled, groups))).toEqual(expected)
          const shown = (sums: MetricSums) => metricValue('pay_order_roi', sums)
          expect(shown(inGroups(shuffled, groups))).toBe(shown(expected))
        },
      ),
    )
  })

  test('what one part knows is known of the whole, and zero is a value', () => {
    expect(addSums({ cost: null, dy_like: 0n }, { cost: 3n, dy_share: null })).toEqual({
      cost: 3n,
      dy_like: 0n,
      dy_share: null,
    })
    expect(addSums({ cost: null }, { cost: null })).toEqual({ cost: null })
  })

  test('rounding halves goes away from zero', () => {
    const fen = [4999n, 5000n, 14_999n, 15_000n, -4999n, -5000n].map(fenOf)
    expect(fen).toEqual([0n, 1n, 1n, 2n, 0n, -1n])
    expect(rounded({ over: 1n, under: 3n }, 100n)).toBe(33n)
  })

  test('a number beyond what JSON carries exactly is the nearest that there is', () => {
    expect(wireNumber(2n ** 53n - 1n)).toBe(2 ** 53 - 1)
    expect(wireNumber(10n ** 30n)).toBe(1e30)
  })
})

describe('cells of a file', () => {
  test.each<[string, ReturnType<typeof readCell>, ReturnType<typeof readCell>]>([
    ['12', 12n, 12_000_000n],
    [' 12 ', 12n, 12_000_000n],
    ['+12', 12n, 12_000_000n],
    ['1,234,567', 1_234_567n, 1_234_567_000_000n],
    ['0012', 12n, 12_000_000n],
    ['12.000', 12n, 12_000_000n],
    ['12.', 12n, 12_000_000n],
    ['0', 0n, 0n],
    ['-0.0', 0n, 0n],
    ['', null, null],
    ['-', null, null],
    ['--', null, null],
    ['26.7824', 'unreadable', 26_782_400n],
    ['0.0000004', 'unreadable', 0n],
    ['0.0000005', 'unreadable', 1n],
    ['12.340000000000002', 'unreadable', 12_340_000n],
    ['0.9999999', 'unreadable', 1_000_000n],
    ['¥1,234.5', 'unreadable', 1_234_500_000n],
    ['￥ 3', 'unreadable', 3_000_000n],
    ['3.5 元', 'unreadable', 3_500_000n],
    ['-1', 'negative', 'negative'],
    ['-0.01', 'unreadable', 'negative'],
    ['-99999999999999999999', 'negative', 'negative'],
    ['1000000000000000', 10n ** 15n, 'too_large'],
    ['1000000000000001', 'too_large', 'too_large'],
    ['1000000000', 10n ** 9n, 10n ** 15n],
    ['1000000000.0000001', 'unreadable', 10n ** 15n],
    ['1000000000.000001', 'unreadable', 'too_large'],
    ['9'.repeat(30), 'too_large', 'too_large'],
    ['1,23', 'unreadable', 'unreadable'],
    ['12,3456', 'unreadable', 'unreadable'],
    ['1e5', 'unreadable', 'unreadable'],
    ['12%', 'unreadable', 'unreadable'],
    ['.5', 'unreadable', 500_000n],
    ['-.5', 'unreadable', 'negative'],
    ['¥.25', 'unreadable', 250_000n],
    ['.', 'unreadable', 'unreadable'],
    ['１，２３４', 1234n, 1_234_000_000n],
    ['１２．５', 'unreadable', 12_500_000n],
    ['－', null, null],
    ['－１', 'negative', 'negative'],
    ['NaN', 'unreadable', 'unreadable'],
    ['#N/A', 'unreadable', 'unreadable'],
    ['一', 'unreadable', 'unreadable'],
    ['1\n2', 'unreadable', 'unreadable'],
  ])('%j is %s as a count and %s as money', (cell, whole, micros) => {
    expect(readCell('whole', cell)).toBe(whole)
    expect(readCell('micros', cell)).toBe(micros)
  })

  test('an amount written with six digits is read back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: CELL_MAX }), (value) => {
        const text = `${value / 1_000_000n}.${String(value % 1_000_000n).padStart(6, '0')}`
        expect(readCell('micros', text)).toBe(value)
        expect(readCell('whole', String(value))).toBe(value)
      }),
    )
  })
})

describe('words', () => {
  test.each([
    ['count', 1_289_682, '1,289,682', '128.97万'],
    ['count', 320_000_000, '320,000,000', '3.2亿'],
    ['count', 9999, '9,999', '9,999'],
    ['number', 12_000, '12,000', '1.2万'],
    ['money', 123_450, '1,234.50', '1,234.50'],
    ['money', 5, '0.05', '0.05'],
    ['money', 123_456_789, '1,234,567.89', '123.46万'],
    ['money', 9_007_199_254_740_991, '90,071,992,547,409.91', '900,719.93亿'],
    ['percent', 0.1235, '12.35%', '12.35%'],
    ['percent', 0, '0.00%', '0.00%'],
    ['percent', 1.5, '150.00%', '150.00%'],
    ['ratio', 3.2, '3.20', '3.20'],
    ['money', null, '--', '--'],
    ['count', null, '--', '--'],
    ['percent', null, '--', '--'],
  ] as const)('%s %s is %s, in short %s', (format, value, long, short) => {
    expect(metricWords(format, value)).toBe(long)
    expect(shortMetricWords(format, value)).toBe(short)
  })
})

test.each<[RowBudgets, string[]]>([
  [{ budget: null }, ['--']],
  [{ budget: 50_000, budget_total: null }, ['500.00/日']],
  [{ budget: 300_000, budget_total: 300_000 }, ['总 3,000.00']],
  [{ budget: 350_000, budget_total: 300_000 }, ['500.00/日', '总 3,000.00']],
  [{}, ['--']],
])('budgets of a day and of the whole time stand apart: %j', (row, words) => {
  expect(budgetWords(row)).toEqual(words)
})
