import { expect, test } from 'vitest'
import { platformTime, untilNextDay } from './platform-day.ts'

test('the platforms use times and days of China', () => {
  expect(platformTime('2026-11-21 08:00:00')).toBe(Date.UTC(2026, 10, 21) / 1000)
  expect(platformTime('')).toBeNull()
  expect(platformTime(null)).toBeNull()
  expect(platformTime('2026-11-21')).toBeNull()
  const sixteen = Date.UTC(2026, 10, 21, 16) / 1000
  expect(untilNextDay(sixteen)).toBe(86_400)
  expect(untilNextDay(sixteen - 60)).toBe(60)
})
