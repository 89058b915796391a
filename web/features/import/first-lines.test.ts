import { expect, test } from 'vitest'
import { firstLines } from './first-lines.ts'

test('the first lines are named, and whether there are more', () => {
  expect(firstLines([3, 1200], 2)).toBe('第 3、1,200 行')
  expect(firstLines([3, 7], 9)).toBe('第 3、7 等行')
  expect(firstLines([3], 1, '条数据')).toBe('第 3 条数据')
  expect(firstLines([], 9)).toBe('')
})
