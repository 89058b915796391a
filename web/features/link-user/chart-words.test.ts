import { expect, test } from 'vitest'
import { chartLabel, columnName } from './chart-words.ts'

test.each([
  ['day', '2026-11-25'],
  ['week', '2026-11-25 起的一周'],
  ['month', '2026-11 月'],
] as const)('a column of a %s is called %s', (step, name) => {
  expect(columnName('2026-11-25', step)).toBe(name)
})

test.each([
  [[], '事件总量，每天一柱，共 0 次'],
  [
    [
      { day: '2026-11-24', total: 2 },
      { day: '2026-11-25', total: 5 },
    ],
    '事件总量，每天一柱，共 7 次，最多的是 2026-11-25，5 次',
  ],
])('a screen reader hears of %j', (day_total, label) => {
  expect(chartLabel({ day_total, day_step: 'day' })).toBe(label)
})
