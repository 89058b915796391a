import { expect, test } from 'vitest'
import { readSpan, writeSpan } from './span.ts'

test('a range of seconds is read as it was written', () => {
  expect(readSpan(writeSpan([100, 200]))).toEqual([100, 200])
  expect(readSpan(writeSpan(null))).toBeNull()
})

test.each(['1', '1,', 'a,b', '1.5,2'])('%s is not a range', (text) => expect(readSpan(text)).toBeNull())
