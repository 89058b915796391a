import { beforeAll, describe, expect, test } from 'vitest'
import {
  formatAgo,
  formatAsOf,
  formatBytes,
  formatCount,
  formatDay,
  formatDuration,
  formatLarge,
  formatShare,
  formatTime,
} from './format.ts'
import { dayOf, endOfDay, setZone, startOfDay } from './zone.ts'

beforeAll(() => setZone('Asia/Shanghai'))

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_289_682, '1,289,682'],
  [-1234, '-1,234'],
  [1_000_000_000, '1,000,000,000'],
  [null, '--'],
  [undefined, '--'],
  [Number.NaN, '--'],
])('a count of %s is written %s', (n, written) => expect(formatCount(n)).toBe(written))

test.each([
  [0, '0'],
  [9999, '9,999'],
  [10_000, '1万'],
  [12_345, '1.23万'],
  [1_289_682, '128.97万'],
  [99_999_499, '9,999.95万'],
  [99_999_999, '1亿'],
  [100_000_000, '1亿'],
  [320_000_000, '3.2亿'],
  [-50_000, '-5万'],
  [null, '--'],
])('%s is shortened to %s', (n, written) => expect(formatLarge(n)).toBe(written))

test.each([
  [129, 1000, '12.9%'],
  [1000, 1000, '100.0%'],
  [0, 1000, '0.0%'],
  [1, 1_000_000, '<0.1%'],
  [5, 0, '--'],
  [null, 10, '--'],
])('the share of %s in %s is %s', (part, whole, written) => expect(formatShare(part, whole)).toBe(written))

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [52_428_800, '50 MB'],
  [5 * 1024 ** 3, '5 GB'],
])('%s bytes are %s', (bytes, written) => expect(formatBytes(bytes)).toBe(written))

test.each([
  [0, '1 秒内'],
  [0.04, '0.1 秒'],
  [0.84, '0.8 秒'],
  [45, '45 秒'],
  [60, '1 分'],
  [185, '3 分 5 秒'],
  [7800, '2 小时 10 分'],
  [90_000, '1 天 1 小时'],
])('%s seconds last %s', (seconds, written) => expect(formatDuration(seconds)).toBe(written))

describe('times are in the deployment’s zone', () => {
  // 2026-11-20 23:59:30 in Shanghai, still the 20th at 15:59:30 in UTC
  const late = Date.UTC(2026, 10, 20, 15, 59, 30) / 1000

  test('dates and times', () => {
    expect(formatTime(late)).toBe('2026-11-20 23:59:30')
    expect(formatDay(late)).toBe('2026-11-20')
    expect(formatDay(late + 60)).toBe('2026-11-21')
    expect(formatTime(null)).toBe('--')
  })

  test('the time of a number leaves out the year only if it is this year', () => {
    const thisYear = new Date().getUTCFullYear()
    const june = (year: number) => Date.UTC(year, 5, 1, 4) / 1000
    expect(formatAsOf(june(thisYear))).toBe('截至 06-01 12:00')
    expect(formatAsOf(june(thisYear - 1))).toBe(`截至 ${thisYear - 1}-06-01 12:00`)
    expect(formatAsOf(null)).toBe('')
  })

  test.each([
    [30, '刚刚'],
    [300, '5 分钟前'],
    [7200, '2 小时前'],
    [86_400, '2026-11-19 23:59'],
  ])('%s seconds ago is %s', (passed, written) => expect(formatAgo(late - passed, late)).toBe(written))

  test('a day runs from midnight to 23:59:59', () => {
    expect(dayOf(startOfDay('2026-11-20'))).toBe('2026-11-20')
    expect(formatTime(endOfDay('2026-11-20'))).toBe('2026-11-20 23:59:59')
    expect(endOfDay('2026-11-20') - startOfDay('2026-11-20')).toBe(86_399)
  })

  test.each([
    ['UTC', '2026-07-01 12:00:00', '2026-01-01 12:00:00'],
    ['Asia/Kolkata', '2026-07-01 17:30:00', '2026-01-01 17:30:00'],
    ['America/New_York', '2026-07-01 08:00:00', '2026-01-01 07:00:00'],
    ['Australia/Lord_Howe', '2026-07-01 22:30:00', '2026-01-01 23:00:00'],
  ])('noon of UTC in %s', (zone, july, january) => {
    setZone(zone)
    expect(formatTime(Date.UTC(2026, 6, 1, 12) / 1000)).toBe(july)
    expect(formatTime(Date.UTC(2026, 0, 1, 12) / 1000)).toBe(january)
    setZone('Asia/Shanghai')
  })

  test('a day of 23 hours keeps its ends', () => {
    setZone('America/New_York')
    expect(formatTime(startOfDay('2026-03-08'))).toBe('2026-03-08 00:00:00')
    expect(endOfDay('2026-03-08') - startOfDay('2026-03-08')).toBe(82_799)
    setZone('Asia/Shanghai')
  })
})
