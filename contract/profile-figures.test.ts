import fc from 'fast-check'
import { expect, test } from 'vitest'
import { areSignificant, differenceP, FALSE_DISCOVERIES, type Sample, shareOf, tgiOf } from './profile-figures.ts'

const of = (count: number, size: number): Sample => ({ count, size })

test.each([
  ['twice as often', of(20, 100), of(100, 1000), 200],
  ['as often', of(10, 100), of(100, 1000), 100],
  ['never', of(0, 100), of(100, 1000), 0],
  ['never in the base', of(1, 100), of(0, 1000), null],
  ['nobody in the group', of(0, 0), of(100, 1000), null],
  ['nobody in the base', of(1, 1), of(0, 0), null],
])('the index: %s', (_, group, base, expected) => {
  expect(tgiOf(group, base)).toBe(expected)
})

// Computed apart, with the error function of the Python library.
test.each([
  [of(60, 100), of(45, 100), 0.033672],
  [of(500, 1000), of(1500, 3000), 1],
  [of(30, 200), of(130, 500), 0.001742],
])('the probability of a difference is that of the z-test: %o %o', (a, b, p) => {
  expect(differenceP(a, b)).toBeCloseTo(p, 4)
})

test('where too few people are expected nothing is said', () => {
  expect(differenceP(of(3, 20), of(1, 1000))).toBeNull()
  expect(differenceP(of(0, 1000), of(0, 1000))).toBeNull()
  expect(differenceP(of(1000, 1000), of(1000, 1000))).toBeNull()
  expect(differenceP(of(0, 0), of(10, 100))).toBeNull()
  expect(shareOf(of(0, 0))).toBeNull()
})

test('a group within the other is compared with the rest of it', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.nat(500), fc.nat(500), fc.nat(500), (has, hasNot, restHas, restHasNot) => {
      const group = of(has, has + hasNot)
      const rest = of(restHas, restHas + restHasNot)
      const whole = of(has + restHas, group.size + rest.size)
      const [within, apart] = [differenceP(group, whole, group), differenceP(group, rest)]
      // Both say nothing of few people, though not of the same ones.
      if (within !== null && apart !== null) expect(within).toBeCloseTo(apart, 8)
      expect(differenceP(whole, group, group)).toEqual(within)
    }),
  )
})

test('groups that share people are compared by what each has alone', () => {
  // Of 100 and 100, 50 in both: z = 0.2 / sqrt(0.4 × 0.6 × (0.02 - 0.01)), where 60 of the 150 have the tag.
  expect(differenceP(of(50, 100), of(30, 100), of(20, 50))).toBeCloseTo(4.457e-5, 7)
  expect(differenceP(of(50, 100), of(50, 100), of(50, 100))).toBeNull()
})

const sample = fc
  .tuple(fc.integer({ min: 1, max: 1e8 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([size, share]) => of(Math.round(size * share), size))

test('a probability lies between 0 and 1, and is the same from both sides', () => {
  fc.assert(
    fc.property(sample, sample, (a, b) => {
      const p = differenceP(a, b)
      expect(differenceP(b, a)).toEqual(p)
      if (p !== null) expect(p >= 0 && p <= 1).toBe(true)
    }),
  )
})

test.each([
  ['none', [], []],
  ['one', [0.009], [true]],
  // The second is under its own limit of 0.01 × 2/3, so the first is in too.
  ['each against its own limit', [0.006, 0.0066, 0.5], [true, true, false]],
  ['unknown ones are not', [null, 0.001], [false, true]],
  ['chance', [0.3, 0.02], [false, false]],
])('significant differences: %s', (_, probabilities, expected) => {
  expect(areSignificant(probabilities)).toEqual(expected)
})

test('more differences never make one significant that alone is none', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (all) => {
      areSignificant(all).forEach((isSignificant, at) => {
        if (isSignificant) expect((all[at] as number) <= FALSE_DISCOVERIES).toBe(true)
      })
    }),
  )
})
