import { expect, test } from 'vitest'
import { idNumber, parseJson, WireId } from './lossless-json.ts'

test('an id keeps every digit when parsed and when written', () => {
  const wire = '{"id":9223372036854775807,"small":12,"list":[9007199254750003],"half":1.5,"text":"9007199254740993"}'
  expect(parseJson(wire)).toEqual({
    id: '9223372036854775807',
    small: 12,
    list: ['9007199254750003'],
    half: 1.5,
    text: '9007199254740993',
  })
  expect(JSON.stringify({ id: idNumber('9223372036854775807'), list: [idNumber('9007199254750003')] })).toBe(
    '{"id":9223372036854775807,"list":[9007199254750003]}',
  )
  expect([12, '12', '9223372036854775807'].map((id) => WireId.parse(id))).toEqual(['12', '12', '9223372036854775807'])
})

test('a decimal is a number only where a double gives it back as it was written', () => {
  const wire = '[12.34, 0.1, -1.5, 1234567890123.45, 12345678901234.56, 0.12345678901234567, 1.50]'
  expect(parseJson(wire)).toEqual([12.34, 0.1, -1.5, 1234567890123.45, '12345678901234.56', '0.12345678901234567', 1.5])
})

test('only ids are written as numbers', () => {
  for (const id of ['', '01', '-1', '1.5', '1e9', '1,"x":2', ' 1', '123456789012345678901']) {
    expect(() => idNumber(id)).toThrow('not a platform')
  }
})
