import { expect, test } from 'vitest'
import type { CrowdSchedule } from '#contract/crowd-schedule.ts'
import { nextRun, scheduleAt } from './next-run.ts'

const SHANGHAI = 'Asia/Shanghai'
const at = (text: string) => Date.parse(text) / 1000
const textOf = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000).toISOString())

// 2026-11-27 is a Friday.
test.each<[string, CrowdSchedule, now: string, next: string | null, zone?: string]>([
  ['the data decide', { every: 'data' }, '2026-11-27T10:00:00+08:00', null],
  ['each hour', { every: 'hours', hours: 1 }, '2026-11-27T10:00:00+08:00', '2026-11-27T03:00:00.000Z'],
  ['six hours, from midnight', { every: 'hours', hours: 6 }, '2026-11-27T10:20:00+08:00', '2026-11-27T04:00:00.000Z'],
  ['past the last of a day', { every: 'hours', hours: 8 }, '2026-11-27T23:00:00+08:00', '2026-11-27T16:00:00.000Z'],
  ['later today', { every: 'day', hour: 8 }, '2026-11-27T07:59:59+08:00', '2026-11-27T00:00:00.000Z'],
  ['at the very second: tomorrow', { every: 'day', hour: 8 }, '2026-11-27T08:00:00+08:00', '2026-11-28T00:00:00.000Z'],
  ['today of the zone, not of UTC', { every: 'day', hour: 1 }, '2026-11-27T00:30:00+08:00', '2026-11-26T17:00:00.000Z'],
  ['next Monday', { every: 'week', days: [1], hour: 8 }, '2026-11-27T10:00:00+08:00', '2026-11-30T00:00:00.000Z'],
  ['on Sunday', { every: 'week', days: [5, 7], hour: 8 }, '2026-11-27T10:00:00+08:00', '2026-11-29T00:00:00.000Z'],
  ['the same weekday', { every: 'week', days: [5], hour: 8 }, '2026-11-27T08:00:00+08:00', '2026-12-04T00:00:00.000Z'],
  ['a leap day', { every: 'day', hour: 8 }, '2028-02-28T09:00:00+08:00', '2028-02-29T00:00:00.000Z'],
  [
    'an hour that the clocks leave out: the next one',
    { every: 'day', hour: 2 },
    '2026-03-08T00:30:00-05:00',
    '2026-03-08T07:00:00.000Z',
    'America/New_York',
  ],
])('%s', (_, schedule, now, next, zone = SHANGHAI) => {
  expect(textOf(nextRun(schedule, at(now), zone))).toBe(next)
})

const DAILY: CrowdSchedule = { every: 'day', hour: 8 }

test.each<[string, next: string, now: string, isDue: boolean, then: string]>([
  ['before its time', '2026-11-27T08:00:00+08:00', '2026-11-27T07:00:00+08:00', false, '2026-11-27T08:00:00+08:00'],
  ['at its time', '2026-11-27T08:00:00+08:00', '2026-11-27T08:00:00+08:00', true, '2026-11-28T08:00:00+08:00'],
  // The other clock is a second ahead: the time is not met again a second later.
  ['a second early', '2026-11-27T08:00:00+08:00', '2026-11-27T07:59:59+08:00', true, '2026-11-28T08:00:00+08:00'],
  [
    'just after an early run',
    '2026-11-28T08:00:00+08:00',
    '2026-11-27T07:59:59+08:00',
    false,
    '2026-11-28T08:00:00+08:00',
  ],
  [
    'missed for days: once',
    '2026-11-20T08:00:00+08:00',
    '2026-11-27T10:00:00+08:00',
    true,
    '2026-11-28T08:00:00+08:00',
  ],
  [
    'clock set back by days',
    '2026-12-05T08:00:00+08:00',
    '2026-11-27T07:00:00+08:00',
    false,
    '2026-11-27T08:00:00+08:00',
  ],
])('%s', (_, next, now, isDue, then) => {
  expect(scheduleAt({ schedule: DAILY, next_at: at(next) }, at(now), SHANGHAI)).toEqual({ isDue, next_at: at(then) })
})

test('a crowd that got no time yet gets one and does not run', () => {
  const now = at('2026-11-27T07:00:00+08:00')
  expect(scheduleAt({ schedule: DAILY, next_at: null }, now, SHANGHAI)).toEqual({ isDue: false, next_at: now + 3600 })
})
