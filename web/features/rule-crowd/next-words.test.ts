import { expect, test } from 'vitest'
import { nextWords, updateWords } from './next-words.ts'

const soon = Date.parse(`${new Date().getFullYear()}-06-28T08:00:00+08:00`) / 1000

test('says when a crowd is updated next, and by which schedule', () => {
  const daily = { status: 'completed' as const, schedule: { every: 'day' as const, hour: 8 }, nextAt: soon }
  expect(updateWords(daily)).toBe('06-28 08:00（每天 08:00）')
  expect(updateWords({ status: 'failed', schedule: { every: 'data' }, nextAt: null })).toBe('数据变化后（跟随数据）')
  expect(nextWords({ status: 'invalid', nextAt: null })).toBe('已失效，不再更新')
})
