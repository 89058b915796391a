import type { AcrossShards } from './handles.ts'
import { ROW_ORDER, slotColumn } from './person-sql.ts'

/** A person's newest value of each attribute, by its slot; '' without one. */
export async function attributeValues(
  engine: AcrossShards,
  { adv_id, uid }: { adv_id: number; uid: number },
  slots: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (slots.length === 0) return new Map()
  const columns = slots.map((slot) => {
    const column = slotColumn(slot)
    return `argMaxIf(${column}, ${ROW_ORDER}, ${column} != '')`
  })
  const [row] = await engine.query<{ found: string[] }>(
    `SELECT [${columns.join(', ')}] AS found FROM person_row WHERE adv_id = {adv_id:UInt32} AND uid = {uid:UInt32}`,
    { adv_id, uid },
  )
  return new Map(slots.map((slot, at) => [slot, row?.found[at] ?? '']))
}
