import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chartColumns, dayStep, eventInfo } from './link-user-words.ts'

test.each([
  ['2026-11-25', '2026-11-25', 'day'],
  ['2025-11-25', '2026-11-25', 'day'],
  ['2025-11-24', '2026-11-25', 'week'],
  ['2019-11-21', '2026-11-25', 'week'],
  ['2019-11-20', '2026-11-25', 'month'],
])('the columns from %s to %s are each a %s', (from, to, step) => {
  expect(dayStep(from, to)).toBe(step)
})

test('days without events are columns of zero, and days outside the span are left out', () => {
  const days = [
    { day: '2026-02-27', total: 9 },
    { day: '2026-02-28', total: 2 },
    { day: '2026-03-02', total: 3 },
  ]
  expect(chartColumns(days, '2026-02-28', '2026-03-03')).toEqual({
    step: 'day',
    columns: [
      { day: '2026-02-28', total: 2 },
      { day: '2026-03-01', total: 0 },
      { day: '2026-03-02', total: 3 },
      { day: '2026-03-03', total: 0 },
    ],
  })
})

test('weeks begin on Monday, and the first column begins with the span', () => {
  // 2024-01-03 is a Wednesday.
  const { step, columns } = chartColumns([{ day: '2024-01-09', total: 4 }], '2024-01-03', '2025-02-01')
  expect(step).toBe('week')
  expect(columns.slice(0, 3)).toEqual([
    { day: '2024-01-03', total: 0 },
    { day: '2024-01-08', total: 4 },
    { day: '2024-01-15', total: 0 },
  ])
})

test('months add up their days', () => {
  const days = [
    { day: '2010-02-01', total: 1 },
    { day: '2010-02-28', total: 2 },
  ]
  const { step, columns } = chartColumns(days, '2010-01-15', '2020-01-01')
  expect([step, columns[0], columns[1]]).toEqual([
    'month',
    { day: '2010-01-15', total: 0 },
    { day: '2010-02-01', total: 3 },
  ])
})

test('a span that ends before it begins has no columns', () => {
  expect(chartColumns([{ day: '2026-01-01', total: 1 }], '2026-01-02', '2026-01-01').columns).toEqual([])
})

const aDay = fc
  .integer({ min: 0, max: 9000 })
  .map((n) => new Date(Date.UTC(2005, 0, 1) + n * 86_400_000).toISOString().slice(0, 10))

test('no event is lost or counted twice, however long the columns are', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ day: aDay, total: fc.nat(100) })), aDay, aDay, (days, from, to) => {
      const within = days.filter(({ day }) => day >= from && day <= to).reduce((sum, { total }) => sum + total, 0)
      const { columns } = chartColumns(days, from, to)
      expect(columns.reduce((sum, { total }) => sum + total, 0)).toBe(within)
      expect(columns.map(({ day }) => day)).toEqual([...new Set(columns.map(({ day }) => day))].sort())
    }),
  )
})

test.each([
  ['', {}, {}, ''],
  ['首页', {}, {}, '首页'],
  ['首页', { price: '12', empty: '' }, {}, '首页；price：12'],
  [
    '',
    { price: '12', pay: '1' },
    { price: { display_name: '价格' }, pay: { dictionary: [{ value: '1', label: '微信' }] } },
    '价格：12；pay：微信',
  ],
])('the title %j with %j is said as names and labels', (title, properties, settings, words) => {
  expect(eventInfo(title, properties as Record<string, string>, settings)).toBe(words)
})
