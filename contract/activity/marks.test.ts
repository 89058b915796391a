import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { correctionOf, isCovered, type JumpKey, jumpOf } from './marks.ts'

describe('a correction', () => {
  test.each([
    ['the same numbers', { cost: 10n, imp_pv: 5n }, { cost: 10n, imp_pv: 5n }, null],
    ['less than a fen', { cost: 1_000_000n }, { cost: 1_009_999n }, null],
    ['a fen more', { cost: 1_000_000n }, { cost: 1_010_000n }, ['cost', 1_000_000n, 1_010_000n]],
    ['a fen less', { cost: 1_010_000n }, { cost: 1_000_000n }, ['cost', 1_010_000n, 1_000_000n]],
    ['a count of one more', { imp_pv: 5n }, { imp_pv: 6n }, ['imp_pv', 5n, 6n]],
    ['coins, which are no money', { live_gift_amount: 5n }, { live_gift_amount: 6n }, ['live_gift_amount', 5n, 6n]],
    ['the first of several', { covert_cnt: 1n, imp_pv: 5n }, { covert_cnt: 2n, imp_pv: 6n }, ['imp_pv', 5n, 6n]],
    ['a metric that is new', { cost: 10n }, { cost: 10n, dy_like: 3n }, null],
    ['a metric that is gone', { cost: 10n, dy_like: 3n }, { cost: 10n }, null],
  ] as const)('%s', (_, before, after, found) => {
    const correction = correctionOf(before, after)
    expect(correction && [correction.key, correction.before, correction.after]).toEqual(found)
  })
})

const yuan = (amount: number | null) => (amount === null ? null : BigInt(amount) * 1_000_000n)
describe('a jump', () => {
  test.each<[string, number, (number | null)[], number | null]>([
    ['more than three times the median', 301, [100, 100, 100, 100, 100, 100, 100], 100],
    ['exactly three times', 300, [100, 100, 100, 100, 100, 100, 100], null],
    ['less than a third', 99, [300, 300, 300, 300, 300, 300, 300], 300],
    ['exactly a third', 100, [300, 300, 300, 300, 300, 300, 300], null],
    ['nothing after a usual day', 0, [300, 300, 300, 300, 300, 300, 300], 300],
    ['small amounts', 99, [1, 1, 1, 1, 1, 1, 1], null],
    ['100 yuan away', 101, [1, 1, 1, 1, 1, 1, 1], null],
    ['more than 100 yuan away', 102, [1, 1, 1, 1, 1, 1, 1], 1],
    ['one odd day before', 120, [100, 100, 100, 9000, 100, 100, 100], null],
    ['the middle of an even number of days', 1000, [100, 200, 300, 400], 250],
    ['too few known days', 1000, [1, 1, 1, null, null, null, null], null],
    ['four known days', 1000, [1, null, 1, null, 1, null, 1], 1],
    ['the first days', 1000, [], null],
    ['the first cost after days without any', 150, [0, 0, 0, 0, 0, 0, 0], 0],
  ])('%s', (_, cost, before, usual) => {
    expect(jumpOf('cost', yuan(cost) as bigint, before.map(yuan))).toBe(yuan(usual))
  })

  test.each<[JumpKey, number, number, number | null]>([
    ['imp_pv', 10_001, 0, 0],
    ['imp_pv', 10_000, 0, null],
    ['imp_pv', 90_000, 20_000, 20_000],
    ['click_pv', 800, 250, 250],
    ['click_pv', 301, 101, null],
    ['covert_cnt', 5, 26, 26],
    ['covert_cnt', 6, 26, null],
    ['covert_cnt', 9, 26, null],
  ])('of %s: %d after days of %d', (key, value, usual, found) => {
    const before = Array.from({ length: 7 }, () => BigInt(usual))
    expect(jumpOf(key, BigInt(value), before)).toBe(found === null ? null : BigInt(found))
  })

  test('is one from the median of the days before, whatever they are', () => {
    const amount = fc.oneof(fc.bigInt(0n, 10n ** 3n), fc.bigInt(0n, 10n ** 12n))
    fc.assert(
      fc.property(amount, fc.array(amount, { minLength: 4, maxLength: 7 }), (count, before) => {
        const sorted = before.toSorted((one, other) => Number(one - other))
        const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
        const usual = middle.reduce((sum, one) => sum + one, 0n) / BigInt(middle.length)
        const isFar = count - usual > 20n || usual - count > 20n
        const isJump = isFar && (count > usual * 3n || count * 3n < usual)
        expect(jumpOf('covert_cnt', count, before)).toBe(isJump ? usual : null)
      }),
    )
  })

  test('does not depend on the order of the days before, nor on the scale of large amounts', () => {
    const amount = fc.bigInt(10n ** 9n, 10n ** 13n)
    fc.assert(
      fc.property(amount, fc.array(amount, { minLength: 7, maxLength: 7 }), (cost, before) => {
        const found = jumpOf('cost', cost, before)
        expect(jumpOf('cost', cost, before.toReversed())).toBe(found)
        const doubled = jumpOf(
          'cost',
          cost * 2n,
          before.map((one) => one * 2n),
        )
        // Halving a sum of two may lose a millionth, and twice the distance may pass the floor.
        if (found !== null) expect((doubled as bigint) - found * 2n).toBeLessThanOrEqual(1n)
      }),
    )
  })
})

describe('the days of an activity', () => {
  const plan = (start_date: string | null, end_date: string | null = null) => ({ start_date, end_date })
  test.each([
    ['begin with the first of its plans', [plan('2026-11-15'), plan('2026-11-01')], '2026-11-01', true],
    ['do not begin before', [plan('2026-11-15'), plan('2026-11-01')], '2026-10-31', false],
    ['have no beginning where a plan has none', [plan('2026-11-15'), plan(null)], '2020-01-01', true],
    ['end with the last of its plans', [plan(null, '2026-11-10'), plan(null, '2026-11-20')], '2026-11-20', true],
    ['do not go on after', [plan(null, '2026-11-10'), plan(null, '2026-11-20')], '2026-11-21', false],
    ['have no end where a plan has none', [plan(null, '2026-11-10'), plan(null)], '2030-01-01', true],
    ['go on between two plans', [plan('2026-11-01', '2026-11-05'), plan('2026-11-15')], '2026-11-10', true],
    ['are none without plans', [], '2026-11-10', false],
  ])('%s', (_, plans, date, isOne) => {
    expect(isCovered(plans, date)).toBe(isOne)
  })
})
