import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guessIcon } from './guess-icon.ts'
import { dateRanges, isWhole, numberRanges } from './ranges.ts'

test('numbers are cut at round numbers', () => {
  const quantiles = [1012.3, 2049.1, 2993, 4022, 5051, 5989, 7010, 8003, 9020]
  expect(numberRanges({ least: 3, most: 9999, quantiles }).map((range) => range.name)).toEqual([
    '小于 1000',
    '1000 ~ 2000',
    '2000 ~ 3000',
    '3000 ~ 4000',
    '4000 ~ 5000',
    '5000 ~ 6000',
    '6000 ~ 7000',
    '7000 ~ 8000',
    '8000 ~ 9000',
    '9000 及以上',
  ])
})

test('a value that many people share makes fewer ranges, and no range is empty', () => {
  const ranges = numberRanges({ least: 0, most: 50, quantiles: [0, 0, 0, 0, 0, 5, 5, 9.5, 20] })
  expect(ranges.map((range) => range.name)).toEqual(['小于 5', '5 ~ 10', '10 ~ 20', '20 及以上'])
})

test('the smallest value gets a range of its own if many people have it', () => {
  const above = { least: 29.99, quantiles: [34.1, 50, 80, 101, 149, 201, 288, 350] }
  const ranges = numberRanges({ least: 0, most: 499, quantiles: Array(9).fill(0), above })
  expect(ranges.map((range) => range.name)).toEqual([
    '0',
    '20 ~ 34',
    '34 ~ 50',
    '50 ~ 80',
    '80 ~ 100',
    '100 ~ 150',
    '150 ~ 200',
    '200 ~ 300',
    '300 ~ 350',
    '350 及以上',
  ])
  expect(ranges[0]?.condition).toEqual({ is: 'range', from: null, to: '20', as: 'number' })
})

test('ranges leave no gaps and do not overlap', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 9, maxLength: 9 }), (some) => {
      const quantiles = some.toSorted((a, b) => a - b)
      const least = quantiles[0] as number
      const ranges = numberRanges({ least, most: 1e9, quantiles }).map(({ condition }) => {
        if (condition.is !== 'range') throw new Error('a range')
        return condition
      })
      for (const [index, range] of ranges.entries()) {
        expect(range.from).toBe(ranges[index - 1]?.to ?? null)
        if (range.from !== null && range.to !== null) expect(Number(range.from)).toBeLessThan(Number(range.to))
      }
      expect(ranges.at(-1)?.to ?? null).toBe(null)
    }),
  )
})

/** Writes an instant in UTC in one of the three units that dates are cut by. */
const text = (seconds: number, unit: string) => {
  const whole = new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 19)
  return unit === 'YYYY-MM-DD' ? whole.slice(0, 10) : unit.includes('mm') ? whole : `${whole.slice(0, 13)}:00:00`
}

test('dates are cut at the start of a day', () => {
  const at = (day: string) => Date.parse(`${day}T11:00:00Z`) / 1000
  const quantiles = ['2026-01-05', '2026-01-05', '2026-02-01', '2026-03-01'].map(at)
  expect(dateRanges({ least: at('2026-01-01'), most: at('2026-05-01'), quantiles }, text)).toEqual([
    { name: '2026-01-05 前', condition: { is: 'range', from: null, to: '2026-01-05', as: 'date' } },
    { name: '2026-01-05 ~ 2026-02-01', condition: { is: 'range', from: '2026-01-05', to: '2026-02-01', as: 'date' } },
    { name: '2026-02-01 ~ 2026-03-01', condition: { is: 'range', from: '2026-02-01', to: '2026-03-01', as: 'date' } },
    { name: '2026-03-01 起', condition: { is: 'range', from: '2026-03-01', to: null, as: 'date' } },
  ])
})

test('times of one day are cut at the start of an hour', () => {
  const at = (time: string) => Date.parse(`2026-01-05T${time}Z`) / 1000
  const spread = { least: at('08:00:00'), most: at('20:00:00'), quantiles: [at('10:30:00'), at('15:10:00')] }
  expect(dateRanges(spread, text).map((range) => range.name)).toEqual([
    '2026-01-05 10:00:00 前',
    '2026-01-05 10:00:00 ~ 2026-01-05 15:00:00',
    '2026-01-05 15:00:00 起',
  ])
})

test.each([
  ['attribute', '性别', 'gender'],
  ['attribute', 'Gender', 'gender'],
  ['attribute', '城市级别', 'city_level'],
  ['attribute', '手机品牌', 'manufacturer'],
  ['attribute', '机型价位', 'device_price'],
  ['attribute', 'memberLevel', 'vip'],
  ['attribute', 'age', 'age'],
  ['attribute', 'zip_code', 'places'],
  ['attribute', 'language', 'other'],
  ['attribute', 'history_segment', 'other'],
  ['event', '支付', 'pay'],
  ['event', 'page_view', 'browse'],
  ['event', '中奖', 'winner'],
  ['event', 'buy', 'pay'],
  ['event', '关注公众号', 'follow'],
  ['event', 'unheard of', 'other'],
] as const)('the icon of the %s %s is %s', (kind, name, icon) => {
  expect(guessIcon(kind, name)).toBe(icon)
})

test('the largest numbers make ranges with finite ends', () => {
  const quantiles = [-1.79e308, -1.5e308, -1e308, -1e308, -1e308, -1e308, -1e308, -1e308, 1.797e308]
  for (const range of numberRanges({ least: -1.797e308, most: 1.797e308, quantiles })) {
    if (range.condition.is !== 'range') throw new Error('no range')
    for (const end of [range.condition.from, range.condition.to]) expect(Number.isFinite(Number(end))).toBe(true)
  }
})

test.each([
  [
    [
      [null, '1'],
      ['1', '5'],
      ['5', null],
    ],
    true,
  ],
  [
    [
      ['1', '5'],
      [null, '1'],
      ['5', null],
    ],
    true,
  ],
  [
    [
      [null, '1'],
      ['5', null],
    ],
    false,
  ],
  [[['1', '5']], false],
  [[['1', null]], false],
  [[], false],
] as [[string | null, string | null][], boolean][])('ranges %j hold every value: %s', (ranges, whole) => {
  expect(isWhole(ranges.map(([from, to]) => ({ from, to })))).toBe(whole)
})
