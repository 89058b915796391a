import { expect, test } from 'vitest'
import { outcome } from './outcome.ts'
import { isCancellable, isRetryable, nextAttemptOf, pushStateOf } from './push-state.ts'
import type { PushState, PushStatus } from './push-status.ts'

const busy = outcome('push_tries_again', { at: 700, cause: outcome('platform_throttled') })
const unauthorised = outcome('push_waits_for_authorisation', { cause: outcome('authorisation_expired') })
const tomorrow = outcome('push_waits_until', { at: 900, when: '明天', cause: outcome('platform_throttled_for_long') })

test.each<[PushStatus, Parameters<typeof pushStateOf>[0]['reason'], PushState, next: number | null]>([
  ['waiting', null, 'waiting', null],
  ['running', null, 'running', null],
  ['running', busy, 'retrying', 700],
  ['paused', unauthorised, 'paused', null],
  ['paused', tomorrow, 'paused', 900],
  ['failed', outcome('push_gave_up', { times: 30, cause: busy }), 'failed', null],
  ['cancelled', null, 'cancelled', null],
  ['done', null, 'done', null],
])('%s with %j is %s', (status, reason, state, next) => {
  expect(pushStateOf({ status, reason })).toBe(state)
  expect(nextAttemptOf({ status, reason })).toBe(next)
})

test.each<[PushState, cancel: boolean, retry: boolean]>([
  ['waiting', true, false],
  ['running', true, false],
  ['retrying', true, true],
  ['paused', true, true],
  ['failed', false, true],
  ['cancelled', false, true],
  ['done', false, false],
])('%s: cancelled %s, tried again %s', (state, cancel, retry) => {
  expect([isCancellable({ state }), isRetryable({ state })]).toEqual([cancel, retry])
})
