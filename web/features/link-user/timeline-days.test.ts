import { expect, test } from 'vitest'
import { byDay } from './timeline-days.ts'

const event = (date: string) => ({ icon: 'pay' as const, title: '支付', info: '', date })
const list = [event('2026-03-05 08:00:01'), event('2026-03-05 08:00:00'), event('2026-03-02 23:59:59')]
const day_total = [
  { day: '2026-03-02', total: 23 },
  { day: '2026-03-03', total: 0 },
  { day: '2026-03-05', total: 2 },
]

test('the events of a page stand under their days, with what the whole day has', () => {
  const days = byDay({ list, day_total, day_step: 'day' })
  expect(days.map(({ day, total, events }) => [day, total, events.length])).toEqual([
    ['2026-03-05', 2, 2],
    ['2026-03-02', 23, 1],
  ])
})

test('a chart of weeks says nothing of days', () => {
  expect(byDay({ list, day_total, day_step: 'week' }).map(({ total }) => total)).toEqual([null, null])
})
