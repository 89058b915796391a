import dayjs, { type Dayjs } from 'dayjs'
import { dayOf, endOfDay, startOfDay, today } from './zone.ts'

const DAY = 'YYYY-MM-DD'

/** Today in the deployment's zone, as a date without a zone: pickers show and compare plain dates. */
export const plainToday = (): Dayjs => dayjs(today())

/** First and last second of a range of days, as the calls take ranges. */
export const secondsOfDays = ([from, to]: readonly [Dayjs, Dayjs]): [number, number] => [
  startOfDay(from.format(DAY)),
  endOfDay(to.format(DAY)),
]

/** The days that a range of seconds covers. */
export const daysOfSeconds = ([from, to]: readonly [number, number]): [Dayjs, Dayjs] => [
  dayjs(dayOf(from)),
  dayjs(dayOf(to)),
]

/** The latest shopping festivals that have begun, as plain dates with both ends included. */
export function festivalRanges(now: Dayjs): { label: string; value: [Dayjs, Dayjs] }[] {
  return [
    { name: '双11', from: '11-01', to: '11-11' },
    { name: '618', from: '06-01', to: '06-18' },
  ].map(({ name, from, to }) => {
    const begun = dayjs(`${now.year()}-${from}`)
    const year = begun.isAfter(now) ? now.year() - 1 : now.year()
    return { label: `${year} ${name}`, value: [dayjs(`${year}-${from}`), dayjs(`${year}-${to}`)] }
  })
}

/**
 * Quick ranges of every date range. "Past N days" ends yesterday, weeks begin on Monday, none ends after the last day, and
 * those that would begin after it are left out.
 */
export function quickRanges(now: Dayjs, last: Dayjs = now): { label: string; value: [Dayjs, Dayjs] }[] {
  const until = ({ label, value: [from, to] }: { label: string; value: [Dayjs, Dayjs] }) => ({
    label,
    value: [from, to.isAfter(last) ? last : to] satisfies [Dayjs, Dayjs],
  })
  return rangesTo(now)
    .filter(({ value: [from] }) => !from.isAfter(last))
    .map(until)
}

function rangesTo(now: Dayjs): { label: string; value: [Dayjs, Dayjs] }[] {
  const yesterday = now.subtract(1, 'day')
  const monday = now.subtract((now.day() + 6) % 7, 'day')
  const first = now.startOf('month')
  return [
    { label: '今天', value: [now, now] },
    { label: '昨天', value: [yesterday, yesterday] },
    { label: '过去7天', value: [now.subtract(7, 'day'), yesterday] },
    { label: '过去30天', value: [now.subtract(30, 'day'), yesterday] },
    { label: '本周', value: [monday, now] },
    { label: '上周', value: [monday.subtract(7, 'day'), monday.subtract(1, 'day')] },
    { label: '本月', value: [first, now] },
    { label: '上月', value: [first.subtract(1, 'month'), first.subtract(1, 'day')] },
  ]
}
