import { expect, test } from 'vitest'
import { FAULTS } from './errors.ts'

test('each failure has a unique code, and none is 0', () => {
  const codes = Object.values(FAULTS).map(({ code }) => code as number)
  expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([])
  expect(codes).not.toContain(0)
})
