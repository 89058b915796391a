import type { AcrossShards } from '../clickhouse/handles.ts'

export interface PersonId {
  uid: number
  one_id: string
}

/** An alias of an alias, and so on, is followed this far. */
const LINKS_MAX = 20

/**
 * All the ids that stand for one person of an advertiser: theirs, and those that became theirs. Whoever must reach all of a
 * person asks here. An id that became somebody else too, such as a shared device, is not among them.
 */
export async function idsOfPerson(engine: AcrossShards, adv_id: number, one_ids: readonly string[]): Promise<string[]> {
  const ids = new Set(one_ids)
  for (let step = 0; ids.size > 0 && step < LINKS_MAX; step++) {
    const rows = await engine.query<{ from_id: string }>(
      `SELECT from_id FROM person_link FINAL WHERE adv_id = {adv_id:UInt32}
         AND from_id IN (SELECT from_id FROM person_link WHERE adv_id = {adv_id:UInt32} AND to_id IN {ids:Array(String)})
       GROUP BY from_id HAVING countIf(to_id NOT IN {ids:Array(String)}) = 0`,
      { adv_id, ids: [...ids] },
    )
    const found = rows.filter(({ from_id }) => !ids.has(from_id))
    if (found.length === 0) break
    for (const { from_id } of found) ids.add(from_id)
  }
  return [...ids]
}

/** The people who have one of these ids. */
export async function peopleWith(
  engine: AcrossShards,
  adv_id: number,
  one_ids: readonly string[],
): Promise<PersonId[]> {
  if (one_ids.length === 0) return []
  return engine.query<PersonId>(
    'SELECT DISTINCT uid, one_id FROM person_key WHERE adv_id = {adv_id:UInt32} AND one_id IN {one_ids:Array(String)}',
    { adv_id, one_ids: [...one_ids] },
  )
}
