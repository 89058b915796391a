import { expect, test } from 'vitest'
import { leftOutText } from './tag.ts'

test('values without a tag are described in one sentence', () => {
  const tooLong = (count: number) => ({ code: 'tooLong' as const, params: { count, max: 200 } })
  const notText = (count: number) => ({ code: 'notText' as const, params: { count } })
  expect(leftOutText([])).toBeNull()
  expect(leftOutText([tooLong(0), notText(0)])).toBeNull()
  expect(leftOutText([tooLong(3)])).toBe('另有 3 个超过 200 字的值，只计入「有值」')
  expect(leftOutText([tooLong(3), notText(1)])).toBe('另有 3 个超过 200 字的值和 1 个不是有效文本的值，只计入「有值」')
})
