import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isHeldOut, murmurHash3, SHARE_MAX, SHARE_MIN } from './membership.ts'

/** Published vectors of MurmurHash3_x86_32 with seed 0: https://en.wikipedia.org/wiki/MurmurHash */
test.each([
  ['', 0],
  ['test', 0xba6bd213],
  ['Hello, world!', 0xc0363e43],
  ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
])('the hash of %j is the published one', (text, hash) => {
  expect(murmurHash3(text)).toBe(hash)
})

const shares = fc.integer({ min: SHARE_MIN, max: SHARE_MAX })
const texts = fc.string({ unit: 'grapheme', maxLength: 40 })

test('a larger share holds out the same people and more, and depends on nothing else', () => {
  fc.assert(
    fc.property(texts, texts, shares, shares, (seed, key, one, other) => {
      const [small, large] = [Math.min(one, other), Math.max(one, other)]
      const is = isHeldOut({ seed, share: small }, key)
      expect(isHeldOut({ seed, share: small }, key)).toBe(is)
      if (is) expect(isHeldOut({ seed, share: large }, key)).toBe(true)
    }),
  )
})

test('of many people the share is held out, whatever the seed and the shape of their ids', () => {
  const people = 20_000
  const shapes: ((no: number) => string)[] = [
    (no) => String(no),
    (no) => `u${no}`,
    (no) => `用户-${no * 7}`,
    (no) => (no * 2_654_435_761).toString(16).padStart(32, '0'),
  ]
  fc.assert(
    fc.property(fc.uuid(), shares, fc.constantFrom(...shapes), (seed, share, shape) => {
      let held = 0
      for (let no = 0; no < people; no++) if (isHeldOut({ seed, share }, shape(no))) held++
      const expected = (people * share) / 100
      // Six standard deviations: chance exceeds them once in 500 million runs.
      const deviation = Math.sqrt(expected * (1 - share / 100))
      expect(Math.abs(held - expected)).toBeLessThan(6 * deviation)
    }),
    { numRuns: 40 },
  )
})

test('two seeds divide people independently of each other', () => {
  const people = 40_000
  const [one, other] = ['c3a1', 'c3a2'].map((seed) => ({ seed, share: 50 }))
  if (!one || !other) return
  let both = 0
  for (let no = 0; no < people; no++) if (isHeldOut(one, `u${no}`) && isHeldOut(other, `u${no}`)) both++
  expect(Math.abs(both - people / 4)).toBeLessThan(6 * Math.sqrt((people * 3) / 16))
})
