import type { AcrossShards } from '../clickhouse/handles.ts'

export interface PersonId {
  uid: number
  one_id: string
}

/**
 * All the ids that stand for one person of an advertiser. Whoever must reach all of a person asks here, so that ids that
 * were merged belong to it in one place.
 */
export async function idsOfPerson(
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
