import type { AcrossShards } from './handles.ts'
import { ROW_ORDER, slotColumn } from './person-sql.ts'
import { BY_TABLE_ORDER } from './read-options.ts'

/** A person's newest value of each attribute, by its slot; '' without one. */
export async function attributeValues(
  engine: AcrossShards,
  { adv_id, uid }: { adv_id: number; uid: number },
  slots: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (slots.length === 0) return new Map()
  // One aggregate over all columns: one for each takes ten times as long where there are a thousand.
  const [row] = await engine.query<{ found: string[] }>(
    `SELECT argMaxForEach(cells, arrayMap(cell -> if(cell = '', toUInt128(0), ${ROW_ORDER}), cells)) AS found
     FROM (SELECT [${slots.map(slotColumn).join(', ')}] AS cells, ts, line FROM person_row
           WHERE adv_id = {adv_id:UInt32} AND uid = {uid:UInt32})`,
    { adv_id, uid },
    BY_TABLE_ORDER,
  )
  return new Map(slots.map((slot, at) => [slot, row?.found[at] ?? '']))
}
