import { expect, test } from 'vitest'
import { partOf, partSql } from './file-parts.ts'

const PARTS = [
  { part: 7, lines: 2 },
  { part: 3, lines: 1 },
]

test.each([
  [1, 7],
  [2, 7],
  [3, 3],
  [4, undefined],
])('line %d is of part %s', (line, part) => {
  expect(partOf(PARTS, line)).toBe(part)
})

test('the engine finds the same part, and none in a file without parts', () => {
  expect(partSql(PARTS, 'line')).toBe('multiIf(line <= 2, toUInt32(7), line <= 3, toUInt32(3), toUInt32(0))')
  expect(partSql([], 'line')).toBe('toUInt32(0)')
})
