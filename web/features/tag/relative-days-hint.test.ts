import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { relativeDaysHint } from './relative-days-hint.ts'

const today = dayjs('2026-03-01')

test.each([
  ['past', 30, '（2026-01-30 至 2026-02-28，截至昨天）'],
  ['past', 1, '（2026-02-28 至 2026-02-28，截至昨天）'],
  ['before', 30, '（早于 2026-01-30，不含当天）'],
  ['next', 7, '（2026-03-01 至 2026-03-07，含今天）'],
  ['next', 1, '（2026-03-01 至 2026-03-01，含今天）'],
] as const)('on 2026-03-01 the days %s %i are %s', (when, days, hint) => {
  expect(relativeDaysHint(when, days, today)).toBe(hint)
})

test('without a number there is no hint', () => {
  expect(relativeDaysHint('past', null, today)).toBe('')
  expect(relativeDaysHint('past', 0, today)).toBe('')
})
