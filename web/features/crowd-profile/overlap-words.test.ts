import { expect, test } from 'vitest'
import { NAME_MAX } from '#contract/common.ts'
import { partName, partWords } from './overlap-words.ts'

const crowds = [
  { id: 1, name: '老客' },
  { id: 2, name: '近期活跃' },
  { id: 3, name: '一'.repeat(NAME_MAX) },
]

test('a part says which crowds its people are in and which not', () => {
  expect(partWords([1, 2], crowds.slice(0, 2))).toBe('在「老客」「近期活跃」里')
  expect(partWords([2], crowds.slice(0, 2))).toBe('在「近期活跃」里，不在「老客」里')
})

test('the name of a part fits the limit', () => {
  expect(partName([1, 2], crowds)).toBe('老客_近期活跃-部分')
  expect([...partName([1, 2, 3], crowds)]).toHaveLength(NAME_MAX)
})
