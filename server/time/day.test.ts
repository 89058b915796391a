import { expect, test } from 'vitest'
import { endOfDay, startOfDay } from './day.ts'

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
