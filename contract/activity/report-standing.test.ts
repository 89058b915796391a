import { expect, test } from 'vitest'
import { outcome } from '../outcome.ts'
import { needsSomebody, type ReportReading, type ReportStanding, reportStanding } from './report-standing.ts'

const reading = (given: Partial<ReportReading> = {}): ReportReading => ({
  ...{ state: 'idle', fail_outcome: null, synced_at: null, next_at: 600, complete_to: null, missing_days: 0 },
  ...given,
})
const never = outcome('report_never_authorised')
const closed = outcome('report_waits_for_authorisation', { cause: outcome('authorisation_expired') })
const refused = outcome('platform_throttled')
const busy = outcome('report_tries_again', { at: 300, cause: refused })

test.each<[string, Partial<ReportReading>, ReportStanding, boolean]>([
  [
    'never authorised',
    { state: 'paused', fail_outcome: never, next_at: null },
    { kind: 'unauthorised', why: never },
    false,
  ],
  ['authorised a moment ago', { state: 'waiting', missing_days: 30 }, { kind: 'awaited', days: 30 }, false],
  ['read for the first time', { state: 'waiting', complete_to: '2026-11-01', missing_days: 9 }, first(9), false],
  ['authorised and not asked for', {}, { kind: 'unread', at: 600 }, false],
  ['never asked for, and not read daily', { next_at: null }, { kind: 'unread', at: null }, false],
  ['read again', { state: 'waiting', synced_at: 5, complete_to: '2026-11-01', missing_days: 8 }, again(8), false],
  [
    'waiting after a failure',
    { state: 'waiting', fail_outcome: busy },
    { kind: 'retrying', why: busy, at: 300 },
    false,
  ],
  ['read', { synced_at: 5 }, { kind: 'read', read_at: 5, at: 600 }, false],
  ['read, and not daily', { synced_at: 5, next_at: null }, { kind: 'read', read_at: 5, at: null }, false],
  ['closed', { state: 'paused', fail_outcome: closed, synced_at: 5 }, { kind: 'closed', why: closed }, true],
  ['closed before it was read', { state: 'paused', fail_outcome: closed }, { kind: 'closed', why: closed }, true],
  [
    'given up until tomorrow',
    { state: 'failed', fail_outcome: refused },
    { kind: 'failed', why: refused, at: 600 },
    true,
  ],
])('an account that is %s', (_, given, standing, isProblem) => {
  expect(reportStanding(reading(given))).toEqual(standing)
  expect(needsSomebody(standing)).toBe(isProblem)
})

function first(days: number): ReportStanding {
  return { kind: 'reading', days, isFirst: true }
}
function again(days: number): ReportStanding {
  return { kind: 'reading', days, isFirst: false }
}
