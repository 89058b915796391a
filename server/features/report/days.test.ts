import { describe, expect, test } from 'vitest'
import { dayAfter, isComplete, type ReadDay, runsOf, wantedDays } from './days.ts'

const TODAY = '2026-11-28'
const daysAgo = (days: number) => dayAfter(TODAY, -days)
/** Noon in China of a day. */
const noon = (date: string) => Date.parse(`${date}T12:00:00+08:00`) / 1000
const read = (date: string, at = dayAfter(date, 1), version: number | null = 1): ReadDay => ({
  date,
  version,
  read_at: noon(at),
})
const wanted = (known: readonly ReadDay[], depth = 7, daysBack = 90) =>
  wantedDays(known, { today: TODAY, depth, daysBack })
const all = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => read(daysAgo(from - at)))

test('a day is complete once it was read after its end in China', () => {
  const end = Date.parse('2026-11-01T16:00:00Z') / 1000
  expect(isComplete({ date: '2026-11-01', version: 1, read_at: end })).toBe(true)
  expect(isComplete({ date: '2026-11-01', version: 1, read_at: end - 1 })).toBe(false)
  expect(isComplete({ date: '2026-11-01', version: null, read_at: null })).toBe(false)
})

describe('the days to be read', () => {
  test.each<[string, string[], string, number]>([
    ['of a new account', wanted([]), daysAgo(29), 30],
    ['of a new account of a platform that reaches less far', wanted([], 7, 20), daysAgo(19), 20],
    ['daily', wanted(all(40, 1)), daysAgo(7), 8],
    ['weekly', wanted(all(40, 1), 30), daysAgo(30), 31],
    ['weekly, of a platform that reaches less far', wanted(all(40, 1), 30, 30), daysAgo(29), 30],
    ['after twenty days without any', wanted(all(40, 20)), daysAgo(19), 20],
    ['after a year without any', wanted(all(400, 390)), daysAgo(89), 90],
    [
      'after a day that was read before its end',
      wanted([...all(40, 21), read(daysAgo(20), daysAgo(20))]),
      daysAgo(20),
      21,
    ],
  ])('%s', (_, days, first, count) => {
    expect([days[0], days.at(-1), days.length]).toEqual([first, TODAY, count])
  })

  test('have gaps where days between are complete', () => {
    const known = [...all(40, 31), read(daysAgo(30), daysAgo(29), null), ...all(29, 1)]
    expect(wanted(known)).toEqual([daysAgo(30), ...wanted(all(40, 1))])
  })
})

test('runs are days in a row, never more than are allowed, and today alone', () => {
  const days = ['2026-11-01', '2026-11-02', '2026-11-04', '2026-11-25', '2026-11-26', '2026-11-27', TODAY]
  expect(runsOf(days, TODAY, 2)).toEqual([
    ['2026-11-01', '2026-11-02'],
    ['2026-11-04'],
    ['2026-11-25', '2026-11-26'],
    ['2026-11-27'],
    [TODAY],
  ])
  expect(runsOf([], TODAY, 2)).toEqual([])
})
