import { expect, test } from 'vitest'
import { CrowdSchedule, cronOf, scheduleWords } from './crowd-schedule.ts'

test.each<[CrowdSchedule, cron: string | null, words: string]>([
  [{ every: 'data' }, null, '跟随数据'],
  [{ every: 'hours', hours: 1 }, '0 */1 * * *', '每小时'],
  [{ every: 'hours', hours: 6 }, '0 */6 * * *', '每 6 小时'],
  [{ every: 'day', hour: 0 }, '0 0 * * *', '每天 00:00'],
  [{ every: 'day', hour: 23 }, '0 23 * * *', '每天 23:00'],
  [{ every: 'week', days: [1], hour: 8 }, '0 8 * * 1', '每周一 08:00'],
  [{ every: 'week', days: [1, 3, 7], hour: 20 }, '0 20 * * 1,3,7', '每周一、三、日 20:00'],
])('%o is %s, said as %s', (schedule, cron, words) => {
  expect(CrowdSchedule.parse(schedule)).toEqual(schedule)
  expect(cronOf(schedule)).toBe(cron)
  expect(scheduleWords(schedule)).toBe(words)
})

test.each([
  { every: 'minute' },
  { every: 'hours' },
  { every: 'hours', hours: 0 },
  { every: 'hours', hours: 5 },
  { every: 'hours', hours: 24 },
  { every: 'day' },
  { every: 'day', hour: 24 },
  { every: 'day', hour: -1 },
  { every: 'day', hour: 7.5 },
  { every: 'week', days: [], hour: 8 },
  { every: 'week', days: [0], hour: 8 },
  { every: 'week', days: [8], hour: 8 },
  { every: 'week', days: [1, 1], hour: 8 },
])('%o is refused', (schedule) => {
  expect(CrowdSchedule.safeParse(schedule).success).toBe(false)
})
