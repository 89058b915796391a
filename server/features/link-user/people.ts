import type { LinkUser } from '#contract/link-user.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { ROW_ORDER } from '../../clickhouse/person-sql.ts'
import type { Viewer } from '../../http/viewer.ts'
import { phoneFor } from '../../identifiers/person-phone.ts'
import { type EventFilter, eventsWhere } from './filter.ts'

export interface Person {
  uid: number
  one_id: string
}

/** What the list says of people, in the order given: names and phones as last known, visits within the filter. */
export async function describePeople(
  engine: AcrossShards,
  viewer: Pick<Viewer, 'see_phones'>,
  people: readonly Person[],
  { filter, personKey }: { filter: EventFilter; personKey: Buffer },
): Promise<LinkUser[]> {
  if (people.length === 0) return []
  const { adv_id } = filter
  const uids = people.map(({ uid }) => uid)
  const { sql, params } = eventsWhere(filter)
  const newest = (column: string) => `argMaxIf(${column}, ${ROW_ORDER}, ${column} != '') AS newest_${column}`
  const [visits, rows] = await Promise.all([
    engine.query<{ uid: number; n: number; last: number }>(
      `SELECT uid, count() AS n, toUnixTimestamp64Milli(max(ts)) AS last FROM event
       WHERE ${sql} AND uid IN {uids:Array(UInt32)} GROUP BY uid`,
      { ...params, uids },
    ),
    // An empty cell keeps the older value.
    engine.query<{ uid: number; newest_name: string; newest_phone: string }>(
      `SELECT uid, ${newest('name')}, ${newest('phone')} FROM person_row
       WHERE adv_id = {adv_id:UInt32} AND uid IN {uids:Array(UInt32)} GROUP BY uid`,
      { adv_id, uids },
    ),
  ])
  const known = new Map(rows.map((row) => [row.uid, row]))
  const visited = new Map(visits.map((row) => [row.uid, row]))
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
