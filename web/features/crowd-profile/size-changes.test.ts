import { expect, test } from 'vitest'
import { changeWords, comparedOf, inOrder, withChanges } from './size-changes.ts'

const sizes = [100, 1300, 1270, 1270].map((count, at) => ({
  ...{ version: at + 1, counted_at: at, count },
  has_members: true,
}))

test('each size says how much it differs from the one before', () => {
  expect(withChanges(sizes).map(({ change }) => changeWords(change))).toEqual(['--', '+1,200', '-30', '没有变化'])
  expect(withChanges([])).toEqual([])
})

test.each<[string, asked: { from?: number; to?: number }, compared: { from: number; to: number }]>([
  ['nothing asked: the last two', {}, { from: 3, to: 4 }],
  ['both asked', { from: 1, to: 3 }, { from: 1, to: 3 }],
  ['the later one asked: with the one before it', { to: 2 }, { from: 1, to: 2 }],
  ['the earlier one asked: with the last', { from: 1 }, { from: 1, to: 4 }],
  ['versions that are not listed: the last two', { from: 77, to: 99 }, { from: 3, to: 4 }],
  ['the first asked: with itself', { to: 1 }, { from: 1, to: 1 }],
])('%s', (_, asked, compared) => {
  expect(comparedOf(sizes, asked)).toEqual(compared)
})

test('the earlier of two versions comes first, whichever was chosen last', () => {
  expect(inOrder(sizes, { from: 2, to: 3 })).toEqual({ from: 2, to: 3 })
  expect(inOrder(sizes, { from: 4, to: 1 })).toEqual({ from: 1, to: 4 })
  expect(inOrder(sizes, { from: 2, to: 2 })).toEqual({ from: 2, to: 2 })
})
