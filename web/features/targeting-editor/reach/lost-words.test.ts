import { expect, test } from 'vitest'
import { lostWords } from './lost-words.ts'

test.each([
  ['many of many', 4_482_500, 335_500, '4,482,500', '−448.25万'],
  ['nobody of many', 0, 335_500, '0', '0'],
  ['few of many', 500, 335_500, '500', '−500'],
  ['nobody of fewer than platforms tell', 0, 0, '小于1000', '小于1000'],
  ['few of fewer than platforms tell', 500, 500, '小于1000', '小于1000'],
  ['many of fewer than platforms tell', 146_500, 500, '146,500', '−14.65万'],
  ['before it is known how many are left', 0, null, '0', '0'],
])('a dimension that costs %s', (_, lost, left, exact, short) =>
  expect(lostWords(lost, left)).toEqual({ exact, short }),
)
