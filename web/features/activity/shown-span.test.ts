import { expect, test } from 'vitest'
import { REPORT_DAYS_MAX } from '#contract/day-report.ts'
import { daysOfSeconds } from '../../lib/days.ts'
import { isTooLong, lastDaysOf } from './shown-span.ts'

const second = (date: string, time = '00:00:00') => Date.parse(`${date}T${time}+08:00`) / 1000
const span = (from: string, to: string): [number, number] => [second(from), second(to, '23:59:59')]

test.each([
  ['a day', span('2026-11-01', '2026-11-01'), false],
  ['as many days as a report may have', span('2025-11-01', '2026-11-01'), false],
  ['a day more', span('2025-10-31', '2026-11-01'), true],
  ['years', span('2020-01-01', '2026-11-01'), true],
])('%s can be a report, or is too long and is shortened to its last days', (_, given, isLong) => {
  expect(isTooLong(given)).toBe(isLong)
  const shown = lastDaysOf(given)
  expect(isTooLong(shown)).toBe(false)
  const [from, to] = daysOfSeconds(shown)
  expect(to.format('YYYY-MM-DD')).toBe(daysOfSeconds(given)[1].format('YYYY-MM-DD'))
  if (isLong) expect(to.diff(from, 'day')).toBe(REPORT_DAYS_MAX - 1)
})
