import { expect, test } from 'vitest'
import { dayOf, daysBetween, endOfDay, lastSecondOf, startOfDay } from './day.ts'

// In zones whose clocks change at midnight, some days begin at one o'clock, and some have an hour twice at their end.
test.each(['Asia/Shanghai', 'Africa/Cairo', 'Asia/Beirut', 'America/Santiago', 'America/Havana', 'Europe/Berlin'])(
  'days of %s begin and end where its calendar turns',
  (zone) => {
    const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
    const day = (seconds: number) => calendar.format(seconds * 1000)
    for (let at = Date.UTC(2026, 0, 1) / 1000; at < Date.UTC(2027, 0, 1) / 1000; at += 5 * 3600) {
      const [start, end] = [startOfDay(at, zone), endOfDay(at, zone)]
      expect([day(start - 1) < day(at), day(start), day(end), day(end + 1) > day(at)]).toEqual([
        true,
        day(at),
        day(at),
        true,
      ])
    }
  },
)

test.each(['Asia/Shanghai', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Africa/Cairo', 'America/Havana'])(
  'the last second of a day of %s is still that day',
  (zone) => {
    for (const day of daysBetween('2026-01-01', '2026-12-31')) {
      const last = lastSecondOf(day, zone)
      expect([dayOf(last, zone), dayOf(last + 1, zone) > day]).toEqual([day, true])
    }
  },
)

test('the days between two include both, over the end of a leap February', () => {
  expect(daysBetween('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01'])
  expect(daysBetween('2026-03-01', '2026-03-01')).toEqual(['2026-03-01'])
  expect(daysBetween('2026-03-02', '2026-03-01')).toEqual([])
})
