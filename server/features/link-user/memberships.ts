import type { EveryShard } from '../../clickhouse/handles.ts'
import { BY_TABLE_ORDER } from '../../clickhouse/read-options.ts'

/** A version of the people of a tag or a crowd. */
export interface MemberSet {
  id: number
  version: number
}

/**
 * Which of these tags or crowds hold the person; ids. The bitmaps are read last: left to itself, the engine reads those of
 * all people beside that bucket's too, which takes five times as long.
 */
export async function setsHolding(
  everyShard: EveryShard,
  kind: 'tag' | 'crowd',
  { adv_id, uid }: { adv_id: number; uid: number },
  sets: readonly MemberSet[],
): Promise<ReadonlySet<number>> {
  const stored = sets.filter(({ version }) => version > 0)
  if (stored.length === 0) return new Set()
  const answers = await everyShard.query<{ id: number }>(
    `SELECT DISTINCT ${kind}_id AS id FROM ${kind}_member
     PREWHERE adv_id = {adv_id:UInt32} AND bucket = bitShiftRight({uid:UInt32}, 20)
       AND (${kind}_id, version) IN (SELECT arrayJoin(arrayZip({ids:Array(UInt32)}, {versions:Array(UInt32)})))
     WHERE bitmapContains(bitmap, {uid:UInt32})`,
    { adv_id, uid, ids: stored.map(({ id }) => id), versions: stored.map(({ version }) => version) },
    BY_TABLE_ORDER,
  )
  return new Set(answers.flat().map(({ id }) => id))
}
