import { expect, test } from 'vitest'
import { METRICS, type MetricSource } from './activity/metrics.ts'
import { keysOf } from './common.ts'
import { givesOf, STANDARD_EVENTS } from './standard-event.ts'

test('every metric of our own events has an event that gives it', () => {
  const given: string[] = keysOf(STANDARD_EVENTS).flatMap((standard) => Object.values(givesOf(standard)))
  const isOwn = (from: readonly MetricSource[]) => from.includes('events')
  expect(keysOf(METRICS).filter((key) => isOwn(METRICS[key].from) && !given.includes(key))).toEqual([])
})
