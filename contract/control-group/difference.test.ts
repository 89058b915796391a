import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Converted, differenceOf, verdictOf } from './difference.ts'

const of = (converted: number, people: number): Converted => ({ people, converted })

/** Newcombe 1998, table II, method 10, to four digits. */
test.each([
  ['56/70 − 48/80', of(56, 70), of(48, 80), 0.0524, 0.3339],
  ['9/10 − 3/10', of(9, 10), of(3, 10), 0.1705, 0.809],
  ['6/7 − 2/7', of(6, 7), of(2, 7), 0.0582, 0.8062],
  ['5/56 − 0/29', of(5, 56), of(0, 29), -0.0381, 0.1926],
  ['0/10 − 0/20', of(0, 10), of(0, 20), -0.1611, 0.2775],
  ['0/10 − 0/10', of(0, 10), of(0, 10), -0.2775, 0.2775],
  ['10/10 − 0/20', of(10, 10), of(0, 20), 0.6791, 1],
  ['10/10 − 0/10', of(10, 10), of(0, 10), 0.6075, 1],
])('the interval of %s is the published one', (_, first, second, low, high) => {
  const found = differenceOf(first, second)
  expect(found?.low).toBeCloseTo(low, 4)
  expect(found?.high).toBeCloseTo(high, 4)
})

test.each([
  ['clearly more', of(300, 9000), of(20, 1000), 'more'],
  ['a little more', of(205, 9000), of(20, 1000), 'chance'],
  ['nobody in either', of(0, 9000), of(0, 1000), 'chance'],
  ['clearly less', of(100, 9000), of(30, 1000), 'less'],
] as const)('%s', (_, first, second, verdict) => {
  const found = differenceOf(first, second)
  expect(found && verdictOf(found)).toBe(verdict)
})

test('without people in a group there is no difference', () => {
  expect(differenceOf(of(0, 0), of(1, 10))).toBeNull()
  expect(differenceOf(of(1, 10), of(0, 0))).toBeNull()
})

const group = fc
  .integer({ min: 1, max: 10_000_000 })
  .chain((people) => fc.integer({ min: 0, max: people }).map((converted) => of(converted, people)))

test('the interval holds the difference, stays within -1 and 1, and mirrors when the groups are exchanged', () => {
  fc.assert(
    fc.property(group, group, (first, second) => {
      const found = differenceOf(first, second)
      const mirrored = differenceOf(second, first)
      if (!found || !mirrored) throw new Error('both groups have people')
      expect(found.low).toBeLessThanOrEqual(found.difference)
      expect(found.high).toBeGreaterThanOrEqual(found.difference)
      expect(found.low).toBeGreaterThanOrEqual(-1 - 1e-9)
      expect(found.high).toBeLessThanOrEqual(1 + 1e-9)
      expect(mirrored.low).toBeCloseTo(-found.high, 9)
      expect(mirrored.high).toBeCloseTo(-found.low, 9)
    }),
  )
})

test('ten times as many people of the same rates narrow the interval', () => {
  fc.assert(
    fc.property(group, group, (first, second) => {
      const more = ({ people, converted }: Converted) => of(converted * 10, people * 10)
      const [few, many] = [differenceOf(first, second), differenceOf(more(first), more(second))]
      if (!few || !many) throw new Error('both groups have people')
      expect(many.high - many.low).toBeLessThan(few.high - few.low)
    }),
  )
})
