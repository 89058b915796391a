import dayjs from 'dayjs'
import { afterEach, expect, test } from 'vitest'
import { daysOfSeconds, festivalRanges, quickRanges, secondsOfDays } from './days.ts'
import { setZone } from './zone.ts'

afterEach(() => setZone('Asia/Shanghai'))

test('quick ranges on a Sunday in March', () => {
  const picks = quickRanges(dayjs('2026-03-01')).map(({ label, value }) => [
    label,
    ...value.map((day) => day.format('YYYY-MM-DD')),
  ])
  expect(picks).toEqual([
    ['今天', '2026-03-01', '2026-03-01'],
    ['昨天', '2026-02-28', '2026-02-28'],
    ['过去7天', '2026-02-22', '2026-02-28'],
    ['过去30天', '2026-01-30', '2026-02-28'],
    ['本周', '2026-02-23', '2026-03-01'],
    ['上周', '2026-02-16', '2026-02-22'],
    ['本月', '2026-03-01', '2026-03-01'],
    ['上月', '2026-02-01', '2026-02-28'],
  ])
})

test.each([
  ['2026-05-31', ['2025 双11', '2025-11-01', '2025-11-11'], ['2025 618', '2025-06-01', '2025-06-18']],
  ['2026-06-01', ['2025 双11', '2025-11-01', '2025-11-11'], ['2026 618', '2026-06-01', '2026-06-18']],
  ['2026-11-01', ['2026 双11', '2026-11-01', '2026-11-11'], ['2026 618', '2026-06-01', '2026-06-18']],
])('on %s the latest festivals that have begun are offered', (now, ...festivals) => {
  const offered = festivalRanges(dayjs(now)).map(({ label, value }) => [
    label,
    ...value.map((day) => day.format('YYYY-MM-DD')),
  ])
  expect(offered).toEqual(festivals)
})

test('a range covers whole days of the zone, also when daylight saving time changes', () => {
  const day = dayjs('2026-11-20')
  expect(secondsOfDays([day, day])).toEqual([1795104000, 1795190399])
  setZone('America/New_York')
  const spring = dayjs('2026-03-08')
  const [from, to] = secondsOfDays([spring, spring])
  expect(to - from + 1).toBe(23 * 3600)
  expect(daysOfSeconds([from, to]).map((d) => d.format('YYYY-MM-DD'))).toEqual(['2026-03-08', '2026-03-08'])
})
