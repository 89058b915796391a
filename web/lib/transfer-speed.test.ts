import { expect, test } from 'vitest'
import { sampled, secondsLeft, speedOf } from './transfer-speed.ts'

test('the speed is that of the last seconds and gives the time left', () => {
  let samples = sampled([], { at: 0, sent: 0 })
  expect(speedOf(samples)).toBeNull()
  samples = sampled(samples, { at: 1000, sent: 100 })
  expect(speedOf(samples)).toBe(100)
  samples = sampled(sampled(samples, { at: 5000, sent: 4100 }), { at: 6000, sent: 5100 })
  expect(speedOf(samples)).toBe(1000)
  expect(secondsLeft(10_100, 5100, 1000)).toBe(5)
  expect(secondsLeft(10_100, 5100, 0)).toBeNull()
})

test('measuring restarts when a resumed upload falls back to the last byte that arrived', () => {
  const samples = sampled(sampled([], { at: 0, sent: 900 }), { at: 500, sent: 400 })
  expect(samples).toEqual([{ at: 500, sent: 400 }])
})
