import { expect, test } from 'vitest'
import { fenIn, yuanIn, yuanText } from './yuan.ts'

test.each([
  ['500.5', 50_050, '500.50'],
  ['1000.55', 100_055, '1000.55'],
  ['0.07', 7, '0.07'],
  ['9999999.99', 999_999_999, '9999999.99'],
  ['0', 0, '0.00'],
  ['1000.555', 100_055.5, '1000.555'],
  ['1.005', 100.5, '1.005'],
  ['1.00000001', 100.000001, '1.00000001'],
] as const)('%s yuan is kept as typed', (typed, fen, shown) => {
  expect(fenIn(typed)).toBe(fen)
  expect(yuanIn(fen)).toBe(Number(typed))
  expect(yuanText(typed)).toBe(shown)
})

test('an empty field has no amount', () => {
  expect([fenIn(''), fenIn(null), yuanIn(null)]).toEqual([null, null, null])
  expect(yuanText('')).toBe('')
})
