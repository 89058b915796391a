import { expect, test } from 'vitest'
import type { CrowdSchedule } from '#contract/crowd-schedule.ts'
import { fieldsOf, scheduleOf } from './schedule-fields.ts'

test.each<CrowdSchedule>([
  { every: 'data' },
  { every: 'hours', hours: 12 },
  { every: 'day', hour: 0 },
  { every: 'week', days: [2, 6], hour: 23 },
])('the fields of %o give it back', (schedule) => {
  expect(scheduleOf(fieldsOf(schedule))).toEqual(schedule)
})

test('another kind is chosen with what its fields offer first, and weekdays are in order', () => {
  expect(scheduleOf({ every: 'day' })).toEqual({ every: 'day', hour: 8 })
  expect(scheduleOf({ every: 'hours' })).toEqual({ every: 'hours', hours: 6 })
  expect(scheduleOf({ every: 'week', days: [5, 1, 3], hour: 9 })).toEqual({ every: 'week', days: [1, 3, 5], hour: 9 })
})
