import { quoteName } from './bind.ts'
import type { EveryShard } from './handles.ts'

/**
 * Creates a stage of a table: the same columns and the same engine, so that its partitions can be attached to the table.
 * Not `AS table`: for a Distributed table that would create another table over the same rows.
 */
export async function createLike(load: EveryShard, stage: string, table: string): Promise<void> {
  const [shard] = await load.query<{ engine: string; columns: [name: string, type: string, codec: string][] }>(
    `SELECT engine_full AS engine, (
       SELECT groupArray((name, type, compression_codec)) FROM (
         SELECT * FROM system.columns WHERE database = currentDatabase() AND table = {table:String} ORDER BY position)
     ) AS columns
     FROM system.tables WHERE database = currentDatabase() AND name = {table:String}`,
    { table },
  )
  const of = shard?.[0]
  if (!of) throw new Error(`there is no table ${table}`)
  const columns = of.columns.map(([name, type, codec]) => `${quoteName(name)} ${type} ${codec}`)
  await load.command(`CREATE TABLE ${quoteName(stage)} (${columns.join(', ')}) ENGINE = ${of.engine}`)
}
