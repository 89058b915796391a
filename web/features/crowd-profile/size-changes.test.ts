import { expect, test } from 'vitest'
import { changeWords, withChanges } from './size-changes.ts'

test('each size says how much it differs from the one before', () => {
  const sizes = [100, 1300, 1270, 1270].map((count, at) => ({ counted_at: at, count }))
  expect(withChanges(sizes).map(({ change }) => changeWords(change))).toEqual(['--', '+1,200', '-30', '没有变化'])
  expect(withChanges([])).toEqual([])
})
