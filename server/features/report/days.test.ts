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
const wanted = (known: readonly ReadDay[], { weekly = false, daysBack = 90 } = {}) =>
  wantedDays(known, { today: TODAY, weekly, daysBack })
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
    ['of a new account of a platform that reaches less far', wanted([], { daysBack: 20 }), daysAgo(19), 20],
    ['daily', wanted(all(40, 1)), daysAgo(7), 8],
    ['weekly', wanted(all(40, 1), { weekly: true }), daysAgo(30), 31],
    [
      'weekly, of a platform that reaches less far',
      wanted(all(40, 1), { weekly: true, daysBack: 30 }),
      daysAgo(29),
      30,
    ],
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

describe('the mornings on which the last month is read again', () => {
  /** How many days each morning asks for. On `failing` ones the platform does not answer. */
  function mornings(dates: readonly string[], { failing = [] }: { failing?: readonly string[] } = {}): number[] {
    const before = all(60, 0).filter(({ date }) => date < (dates[0] ?? ''))
    const last = new Map(before.map((day) => [day.date, day]))
    return dates.map((today) => {
      const days = wantedDays([...last.values()], { today, weekly: true, daysBack: 90 })
      const at = Date.parse(`${today}T06:10:00+08:00`) / 1000
      if (!failing.includes(today)) for (const date of days) last.set(date, { date, version: 2, read_at: at })
      return days.length
    })
  }
  // 2026-11-16 is a Monday.
  const november = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => `2026-11-${from + at}`)

  test.each<[string, number[], number[]]>([
    ['Mondays', mornings(november(16, 24)), [31, 8, 8, 8, 8, 8, 8, 31, 8]],
    ['a Wednesday after a Monday without a worker', mornings(november(18, 24)), [31, 8, 8, 8, 8, 31, 8]],
    [
      'a Wednesday after mornings on which the platform did not answer',
      mornings(november(15, 20), { failing: ['2026-11-16', '2026-11-17'] }),
      [31, 31, 31, 31, 8, 8],
    ],
    ['a Sunday, and the Monday after it', mornings(november(22, 24)), [31, 31, 8]],
  ])('are %s', (_, days, counts) => {
    expect(days).toEqual(counts)
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
