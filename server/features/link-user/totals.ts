import type { SqlParams } from '../../clickhouse/bind.ts'
import { type EveryShard, sumOf } from '../../clickhouse/handles.ts'
import { ONE_THREAD } from '../../clickhouse/read-options.ts'
import { endOfDay, startOfDay, timeText } from '../../time/day.ts'
import { type EventFilter, eventsWhere, isUnfiltered } from './filter.ts'

const dayText = (seconds: number, zone: string) => timeText(seconds, zone).slice(0, 10)

/** Whole days within a time, and what is left of it at both ends. */
export function wholeDays(from: number | null, to: number | null, zone: string) {
  const parts: { from: number | null; to: number | null }[] = []
  let first = from
  let last = to
  if (from !== null && startOfDay(from, zone) !== from) {
    first = endOfDay(from, zone) + 1
    parts.push({ from, to: to === null ? first - 1 : Math.min(first - 1, to) })
  }
  if (to !== null && endOfDay(to, zone) !== to && (first === null || startOfDay(to, zone) >= first)) {
    last = startOfDay(to, zone) - 1
    parts.push({ from: last + 1, to })
  }
  const isEmpty = first !== null && last !== null && first > last
  return {
    days: isEmpty
      ? null
      : {
          from: first === null ? null : dayText(first, zone),
          to: last === null ? null : dayText(last, zone),
        },
    parts,
  }
}

/** Everyone of the advertiser, with or without events. */
const countEveryone = async (live: EveryShard, adv_id: number): Promise<number> =>
  sumOf(
    await live.query<{ n: number }>(
      'SELECT count() AS n FROM person_key WHERE adv_id = {adv_id:UInt32}',
      { adv_id },
      ONE_THREAD,
    ),
    'n',
  )

/**
 * The people with an event that counts, exactly: bitmaps of whole days are merged, and the hours before and after them
 * are read from the events themselves.
 */
export async function countPeople(live: EveryShard, filter: EventFilter, zone: string): Promise<number> {
  const { adv_id, from, to, names } = filter
  const { days, parts } = wholeDays(from, to, zone)
  const sources: string[] = []
  const params: Record<string, SqlParams[string]> = { adv_id }
  if (names !== null) params.names = names
  if (days !== null) {
    if (days.from !== null) params.first_day = days.from
    if (days.to !== null) params.last_day = days.to
    sources.push(
      `SELECT groupBitmapState(uid) AS s FROM event_day WHERE adv_id = {adv_id:UInt32}
       ${names === null ? '' : 'AND name IN {names:Array(String)}'}
       ${days.from === null ? '' : 'AND day >= {first_day:Date}'} ${days.to === null ? '' : 'AND day <= {last_day:Date}'}`,
    )
  }
  parts.forEach((part, index) => {
    const { sql, params: own } = eventsWhere({ adv_id, names, ...part })
    // Both ends have parameters of their own.
    sources.push(
      `SELECT groupBitmapState(uid) AS s FROM event
       WHERE ${sql.replace('{from:', `{from${index}:`).replace('{before:', `{before${index}:`)}`,
    )
    if (own.from !== undefined) params[`from${index}`] = own.from
    if (own.before !== undefined) params[`before${index}`] = own.before
  })
  if (sources.length === 0) return 0
  const answers = await live.query<{ n: number }>(
    `SELECT toFloat64(groupBitmapMerge(s)) AS n FROM (${sources.join(' UNION ALL ')})`,
    params,
    ONE_THREAD,
  )
  return sumOf(answers, 'n')
}

/** How many people the list has. */
export const countListed = (live: EveryShard, filter: EventFilter, zone: string): Promise<number> =>
  isUnfiltered(filter) ? countEveryone(live, filter.adv_id) : countPeople(live, filter, zone)
