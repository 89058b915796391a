import { expect, test } from 'vitest'
import { sentenceOf } from './outcome.ts'
import { unstorable } from './storable.ts'

const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

test.each<[string, unknown, string | null]>([
  ['plain values', { a: ['文', 1, null, { b: true }] }, null],
  ['a whole surrogate pair', { a: '😀' }, null],
  ['half of one', { a: { b: '\ud800' } }, '参数「a.b」中有无法保存的字符'],
  ['U+0000', { a: ['x', 'y\0'] }, '参数「a.1」中有无法保存的字符'],
  ['a key with U+0000', { a: { 'b\0': 1 } }, '参数「a」中有无法保存的字符'],
  ['200 levels', nested(200), null],
  ['201 levels', nested(201), '请求内容嵌套层数过多，最多 200 层'],
  ['100,000 levels', nested(100_000), '请求内容嵌套层数过多，最多 200 层'],
])('%s', (_, input, sentence) => {
  const reason = unstorable(input)
  expect(reason && sentenceOf(reason)).toBe(sentence)
})
