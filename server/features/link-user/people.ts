import type { LinkUser } from '#contract/link-user.ts'
import { maskedPhone, phoneOf } from '#contract/phone.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { personFieldSql } from '../../clickhouse/person-sql.ts'
import { maskPhones } from '../../files/mask-phones.ts'
import type { Viewer } from '../../http/viewer.ts'
import { unseal } from '../../identifiers/seal.ts'
import { type EventFilter, eventsWhere } from './filter.ts'

export interface Person {
  uid: number
  one_id: string
}

/** A stored phone as the viewer may see it; masked for viewers who may not see phones, also where it is no number. */
function phoneFor(viewer: Pick<Viewer, 'see_phones'>, sealed: string, key: Buffer): string | null {
  const phone = unseal(sealed, key)
  if (phone === '' || viewer.see_phones) return phone || null
  const number = phoneOf(phone)
  return number === null ? maskPhones(phone) : maskedPhone(number)
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
  const newest = async (field: 'name' | 'phone') => {
    const rows = await engine.query<{ uid: number; value: string }>(
      `SELECT uid, value FROM ${personFieldSql(field)} WHERE uid IN {uids:Array(UInt32)}`,
      { adv_id, uids },
    )
    return new Map(rows.map(({ uid, value }) => [uid, value]))
  }
  const [visits, names, phones] = await Promise.all([
    engine.query<{ uid: number; n: number; last: number }>(
      `SELECT uid, count() AS n, toUnixTimestamp64Milli(max(ts)) AS last FROM event
       WHERE ${sql} AND uid IN {uids:Array(UInt32)} GROUP BY uid`,
      { ...params, uids },
    ),
    newest('name'),
    newest('phone'),
  ])
  const visited = new Map(visits.map((row) => [row.uid, row]))
  return people.map(({ uid, one_id }) => {
    const own = visited.get(uid)
    return {
      person: uid,
      oneID: one_id,
      name: names.get(uid) ?? '',
      phone: phoneFor(viewer, phones.get(uid) ?? '', personKey),
      enter_time: own ? Math.floor(own.last / 1000) : null,
      total: own?.n ?? 0,
    }
  })
}
