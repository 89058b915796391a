import type { LinkUser } from '#contract/link-user.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { ROW_ORDER } from '../../clickhouse/person-sql.ts'
import { BY_TABLE_ORDER } from '../../clickhouse/read-options.ts'
import type { Viewer } from '../../http/viewer.ts'
import { phoneFor } from '../../identifiers/person-phone.ts'
import { type EventFilter, eventsWhere } from './filter.ts'

export interface Person {
  uid: number
  one_id: string
}

/** How many of a person's events count, and the moment of the last one, in milliseconds since 1970. */
export interface Visits {
  n: number
  last: number
}

/** The visits within the filter, by person; people without an event that counts are missing. */
export async function visitsOf(engine: AcrossShards, filter: EventFilter, people: readonly Person[]) {
  if (people.length === 0) return new Map<number, Visits>()
  const { sql, params } = eventsWhere(filter)
  const rows = await engine.query<Visits & { uid: number }>(
    `SELECT uid, count() AS n, toUnixTimestamp64Milli(max(ts)) AS last FROM event
     WHERE ${sql} AND uid IN {uids:Array(UInt32)} GROUP BY uid`,
    { ...params, uids: people.map(({ uid }) => uid) },
    BY_TABLE_ORDER,
  )
  return new Map(rows.map(({ uid, n, last }) => [uid, { n, last }]))
}

/** The same where the last moments are known, without reading the times again; those without one have no visits. */
export async function visitsUntil(
  engine: AcrossShards,
  filter: EventFilter,
  people: readonly (Person & { last?: number })[],
) {
  const lasts = new Map(people.flatMap(({ uid, last }) => (last === undefined ? [] : [[uid, last] as const])))
  if (lasts.size === 0) return new Map<number, Visits>()
  const { sql, params } = eventsWhere(filter)
  const rows = await engine.query<{ uid: number; n: number }>(
    `SELECT uid, count() AS n FROM event WHERE ${sql} AND uid IN {uids:Array(UInt32)} GROUP BY uid`,
    { ...params, uids: [...lasts.keys()] },
    BY_TABLE_ORDER,
  )
  return new Map(rows.map(({ uid, n }) => [uid, { n, last: lasts.get(uid) ?? 0 }]))
}

/** What the list says of people, in the order given: names and phones as last known, and their visits. */
export async function describePeople(
  engine: AcrossShards,
  viewer: Pick<Viewer, 'see_phones'>,
  people: readonly Person[],
  { adv_id, visits, personKey }: { adv_id: number; visits: Promise<ReadonlyMap<number, Visits>>; personKey: Buffer },
): Promise<LinkUser[]> {
  const newest = (column: string) => `argMaxIf(${column}, ${ROW_ORDER}, ${column} != '') AS newest_${column}`
  const [visited, rows] = await Promise.all([
    visits,
    // An empty cell keeps the older value.
    people.length === 0
      ? []
      : engine.query<{ uid: number; newest_name: string; newest_phone: string }>(
          `SELECT uid, ${newest('name')}, ${newest('phone')} FROM person_row
           WHERE adv_id = {adv_id:UInt32} AND uid IN {uids:Array(UInt32)} GROUP BY uid`,
          { adv_id, uids: people.map(({ uid }) => uid) },
          BY_TABLE_ORDER,
        ),
  ])
  const known = new Map(rows.map((row) => [row.uid, row]))
  return people.map(({ uid, one_id }) => {
    const own = visited.get(uid)
    return {
      person: uid,
      oneID: one_id,
      name: known.get(uid)?.newest_name ?? '',
      phone: phoneFor(viewer, known.get(uid)?.newest_phone ?? '', personKey),
      enter_time: own ? Math.floor(own.last / 1000) : null,
      total: own?.n ?? 0,
    }
  })
}
