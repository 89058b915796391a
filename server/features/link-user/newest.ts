import type { SqlParams } from '../../clickhouse/bind.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { ONE_THREAD } from '../../clickhouse/read-options.ts'
import { timeText } from '../../time/day.ts'
import { type EventFilter, eventsWhere } from './filter.ts'

/** A place in the list: a person's number and their last event that counts, in milliseconds since 1970. */
export interface Place {
  uid: number
  one_id: string
  last: number
}

/** Numbers of newest events that are looked at before all of them are. */
const WINDOWS = [1000, 20_000] as const

const MS = 'toUnixTimestamp64Milli'

/**
 * The people from `offset` on whose last events are the newest, at most `size`; of people with the same moment by One ID.
 *
 * A look at the newest events is nearly always enough: whoever has one of them that is newer than the oldest of them is
 * before everyone who has none. Where moments are equal in large numbers (files with days only), all events from that
 * moment on are read, and all events only for pages far behind.
 */
export async function newestPeople(
  engine: AcrossShards,
  filter: EventFilter,
  {
    offset,
    size,
    zone,
    windows = WINDOWS,
  }: { offset: number; size: number; zone: string; windows?: readonly number[] },
): Promise<Place[]> {
  const needed = offset + size
  const where = eventsWhere(filter)
  let since: number | null = null
  for (const window of windows) {
    if (needed > window) continue
    const found = await newestWindow(engine, filter, window, zone)
    const certain = found.people.filter(({ last }) => found.above === null || last > found.above)
    if (certain.length >= needed || found.above === null) return placesOf(engine, filter.adv_id, certain, offset, size)
    since = found.above
  }
  if (since !== null) {
    const places = await sortedPeople(engine, `${where.sql} AND ${MS}(ts) >= {since:Int64}`, {
      ...{ offset, size },
      params: { ...where.params, since },
    })
    if (places.length === size) return places
  }
  return sortedPeople(engine, where.sql, { offset, size, params: where.params })
}

interface Window {
  people: { uid: number; last: number }[]
  /** People with an event after this moment are certain; null if all events were read. */
  above: number | null
}

/** The people of the newest `window` events that count. */
async function newestWindow(engine: AcrossShards, filter: EventFilter, window: number, zone: string): Promise<Window> {
  const { sql, params } = eventsWhere(filter)
  const start = await startOf(engine, filter, window, zone)
  const people = await engine.query<{ uid: number; last: number; oldest: number; n: number }>(
    `SELECT uid, ${MS}(max(ts)) AS last, ${MS}(min(ts)) AS oldest, count() AS n
     FROM (SELECT ts, uid FROM event WHERE ${sql} ${start === null ? '' : 'AND ts >= toDateTime64({start:String}, 3, {zone:String})'}
           ORDER BY ts DESC LIMIT {window:UInt32})
     GROUP BY uid ORDER BY last DESC, uid`,
    { ...params, window, zone, ...(start === null ? {} : { start }) },
    ONE_THREAD,
  )
  const isCut = people.reduce((sum, { n }) => sum + n, 0) >= window
  if (isCut) return { people, above: people.reduce((least, { oldest }) => Math.min(least, oldest), Infinity) }
  // All events from that day on: who has one is before everyone who has none, so the moment before the day is the limit.
  if (start === null) return { people, above: null }
  const [row] = await engine.query<{ at: number }>(
    `SELECT ${MS}(toDateTime64({start:String}, 3, {zone:String})) AS at`,
    { start, zone },
    ONE_THREAD,
  )
  return { people, above: (row?.at ?? 0) - 1 }
}

/** The first moment of a day since when there are at least `window` events, so that rare ones are found quickly; null if all are needed. */
async function startOf(
  engine: AcrossShards,
  { adv_id, names, from, to }: EventFilter,
  window: number,
  zone: string,
): Promise<string | null> {
  const first = from === null ? undefined : timeText(from, zone).slice(0, 10)
  const last = to === null ? undefined : timeText(to, zone).slice(0, 10)
  const days = await engine.query<{ d: string; n: number }>(
    `SELECT toString(day) AS d, toFloat64(sum(n)) AS n FROM event_day
     WHERE adv_id = {adv_id:UInt32} ${names === null ? '' : 'AND name IN {names:Array(String)}'}
       ${first === undefined ? '' : 'AND day >= {first:Date}'} ${last === undefined ? '' : 'AND day <= {last:Date}'}
     GROUP BY day ORDER BY day DESC`,
    {
      adv_id,
      ...(names === null ? {} : { names }),
      ...(first === undefined ? {} : { first }),
      ...(last === undefined ? {} : { last }),
    },
    ONE_THREAD,
  )
  let sum = 0
  for (const { d, n } of days) {
    sum += n
    if (sum >= window) return `${d} 00:00:00`
  }
  return null
}

/** One IDs of people by their numbers. */
export async function oneIdsOf(engine: AcrossShards, adv_id: number, uids: readonly number[]) {
  if (uids.length === 0) return new Map<number, string>()
  const rows = await engine.query<{ uid: number; one_id: string }>(
    'SELECT uid, one_id FROM person_key WHERE adv_id = {adv_id:UInt32} AND uid IN {uids:Array(UInt32)}',
    { adv_id, uids },
    ONE_THREAD,
  )
  return new Map(rows.map(({ uid, one_id }) => [uid, one_id]))
}

/** The page of people whose order is certain but for equal moments, which go by One ID. */
async function placesOf(
  engine: AcrossShards,
  adv_id: number,
  certain: readonly { uid: number; last: number }[],
  offset: number,
  size: number,
): Promise<Place[]> {
  const page = certain.slice(offset, offset + size)
  const [newest, oldest] = [page[0]?.last, page.at(-1)?.last]
  if (newest === undefined || oldest === undefined) return []
  const near = certain.filter(({ last }) => last <= newest && last >= oldest)
  const before = certain.filter(({ last }) => last > newest).length
  const ids = await oneIdsOf(
    engine,
    adv_id,
    near.map(({ uid }) => uid),
  )
  return near
    .map(({ uid, last }) => ({ uid, last, one_id: ids.get(uid) ?? '' }))
    .sort((one, other) => other.last - one.last || compareBytes(one.one_id, other.one_id))
    .slice(offset - before, offset - before + size)
}

/** As the engine orders texts. */
const compareBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

/** The same page by reading all events of a condition. */
function sortedPeople(
  engine: AcrossShards,
  where: string,
  { offset, size, params }: { offset: number; size: number; params: SqlParams },
): Promise<Place[]> {
  return engine.query<Place>(
    `SELECT uid, one_id, last FROM
       (SELECT uid, ${MS}(max(ts)) AS last FROM event WHERE ${where}
        GROUP BY uid ORDER BY last DESC LIMIT {needed:UInt64} WITH TIES) AS people
     INNER JOIN (SELECT uid, one_id FROM person_key WHERE adv_id = {adv_id:UInt32}) AS key USING uid
     ORDER BY last DESC, one_id LIMIT {size:UInt32} OFFSET {offset:UInt64}`,
    { ...params, size, offset, needed: offset + size },
  )
}

/** People without events, by One ID; they stand behind all others. */
export const peopleWithoutEvents = (engine: AcrossShards, adv_id: number, offset: number, size: number) =>
  engine.query<{ uid: number; one_id: string }>(
    `SELECT uid, one_id FROM person_key
     WHERE adv_id = {adv_id:UInt32} AND uid NOT IN (SELECT uid FROM event_day WHERE adv_id = {adv_id:UInt32})
     ORDER BY one_id LIMIT {size:UInt32} OFFSET {offset:UInt64}`,
    { adv_id, size, offset },
  )
