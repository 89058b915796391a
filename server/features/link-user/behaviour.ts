import { TIMELINE_PAGE } from '#contract/link-user.ts'
import { chartColumns, eventInfo } from '#contract/link-user-words.ts'
import type { CategoryIcon } from '#contract/tag.ts'
import type { SqlParams } from '../../clickhouse/bind.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { BY_TABLE_ORDER } from '../../clickhouse/read-options.ts'
import { timeText } from '../../time/day.ts'
import type { KnownEvents } from './events.ts'
import { type EventFilter, eventsWhere, isUnfiltered } from './filter.ts'

/** One person's events that count. */
export interface OwnEvents {
  uid: number
  filter: EventFilter
  /** Epoch seconds of the first page. */
  as_of: number
}

/** An event as it is stored; `row` tells those of one moment apart. */
export interface Stored {
  row: string
  name: string
  title: string
  properties: Record<string, string>
  at: number
}

/** A person's events as rows that people read. */
export const timelineRow = ({ name, title, properties, at }: Stored, events: KnownEvents, zone: string) => ({
  title: events.nameOf(name),
  info: eventInfo(title, properties, events.settingsOf(name)),
  date: timeText(Math.floor(at / 1000), zone),
})

function whereOf({ uid, filter }: OwnEvents): { sql: string; params: SqlParams } {
  const { sql, params } = eventsWhere(filter)
  return {
    sql: `${sql} AND uid = {uid:UInt32}`,
    params: { ...params, uid },
  }
}

const COLUMNS = 'toString(row_id) AS row, name, title, properties, toUnixTimestamp64Milli(ts) AS at'

/** Most recent events first; equal moments by the row's own id, so that pages neither repeat nor leave out one. */
function pageOf(engine: AcrossShards, own: OwnEvents, { size, offset }: { size: number; offset: number }) {
  const { sql, params } = whereOf(own)
  return engine.query<Stored>(
    `SELECT ${COLUMNS} FROM event WHERE ${sql} ORDER BY ts DESC, row_id LIMIT {size:UInt32} OFFSET {offset:UInt64}`,
    { ...params, size, offset },
    BY_TABLE_ORDER,
  )
}

/** The events after one of them, in the same order: each part costs the same, however far it is. */
export function eventsAfter(engine: AcrossShards, own: OwnEvents, last: Stored | undefined, size: number) {
  const { sql, params } = whereOf(own)
  const moment = `fromUnixTimestamp64Milli({at:Int64}, 'UTC')`
  const after = last ? `AND ts <= ${moment} AND (ts < ${moment} OR row_id > {row:UInt128})` : ''
  return engine.query<Stored>(
    `SELECT ${COLUMNS} FROM event WHERE ${sql} ${after} ORDER BY ts DESC, row_id LIMIT {size:UInt32}`,
    { ...params, size, ...(last && { at: last.at, row: last.row }) },
    BY_TABLE_ORDER,
  )
}

/** How many events count. */
export async function countEvents(engine: AcrossShards, own: OwnEvents): Promise<number> {
  const { sql, params } = whereOf(own)
  const [row] = await engine.query<{ n: number }>(`SELECT count() AS n FROM event WHERE ${sql}`, params)
  return row?.n ?? 0
}

/** The day of a person's first event, whatever the filter leaves out; null without one. */
async function firstDayOf(engine: AcrossShards, own: OwnEvents, zone: string): Promise<string | null> {
  const { sql, params } = whereOf({ ...own, filter: { ...own.filter, from: null, to: null, names: null } })
  const [row] = await engine.query<{ day: string; n: number }>(
    `SELECT toString(toDate(min(ts), {zone:String})) AS day, count() AS n FROM event WHERE ${sql}`,
    { ...params, zone },
    BY_TABLE_ORDER,
  )
  return row?.n ? row.day : null
}

/** The timeline's page, the chart of the whole time, and the visits as the list has them. */
export async function behaviour(
  engine: AcrossShards,
  own: OwnEvents,
  {
    page,
    events,
    iconOf,
    zone,
  }: { page: number; events: KnownEvents; iconOf: (name: string) => CategoryIcon; zone: string },
) {
  const { sql, params } = whereOf(own)
  const [days, ever, rows] = await Promise.all([
    engine.query<{ day: string; total: number; last: number }>(
      `SELECT toString(toDate(ts, {zone:String})) AS day, count() AS total, toUnixTimestamp64Milli(max(ts)) AS last
       FROM event WHERE ${sql} GROUP BY day ORDER BY day`,
      { ...params, zone },
      BY_TABLE_ORDER,
    ),
    isUnfiltered(own.filter) ? null : firstDayOf(engine, own, zone),
    pageOf(engine, own, { size: TIMELINE_PAGE, offset: (page - 1) * TIMELINE_PAGE }),
  ])
  const newestDay = days.at(-1)
  const total = days.reduce((sum, day) => sum + day.total, 0)
  const { from, to } = own.filter
  const dayOf = (seconds: number) => timeText(seconds, zone).slice(0, 10)
  const firstDay = ever ?? days[0]?.day ?? null
  const start = from === null ? (firstDay ?? dayOf(own.as_of)) : latest(dayOf(from), firstDay)
  // A sender's clock may be ahead by a day.
  const newest = latest(dayOf(own.as_of), newestDay?.day ?? null)
  const end = to === null ? newest : [dayOf(to), newest].sort()[0]
  const chart = chartColumns(days, start, end ?? newest)
  const shown = {
    list: rows.map((row) => ({ icon: iconOf(row.name), ...timelineRow(row, events, zone) })),
    day_total: chart.columns,
    day_step: chart.step,
    total,
    total_page: Math.ceil(total / TIMELINE_PAGE),
    first_day: firstDay,
  }
  return { shown, visits: newestDay && { n: total, last: newestDay.last } }
}

/** The later of two days. A chart that began long before the person did would be empty for most of its width. */
const latest = (one: string, other: string | null) => (other !== null && other > one ? other : one)
