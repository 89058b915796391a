import { quoteName } from './bind.ts'
import type { EveryShard } from './handles.ts'
import { knowsProjectionSettings } from './projection-settings.ts'
import { PROJECTIONS } from './projections.ts'

interface Described {
  name: string
  engine: string
  columns: [position: number, name: string, type: string, made: string, codec: string][]
}

/**
 * Creates stages of tables: the same columns, projections and engine, so that their partitions can be attached to the tables.
 * Not `AS table`: for a Distributed table that would create another table over the same rows.
 */
export async function createLike(load: EveryShard, all: readonly { stage: string; table: string }[]): Promise<void> {
  // Columns are asked by name: the sizes among the other ones are read from the tables' parts.
  const [shard = []] = await load.query<Described>(
    `SELECT name, engine_full AS engine, columns FROM system.tables
     INNER JOIN (
       SELECT table AS described, arraySort(groupArray((position, name, type, trim(concat(default_kind, ' ', default_expression)), compression_codec))) AS columns
       FROM system.columns WHERE database = currentDatabase() AND table IN ({tables:Array(String)}) GROUP BY table
     ) AS own ON own.described = system.tables.name
     WHERE database = currentDatabase() AND name IN ({tables:Array(String)})`,
    { tables: [...new Set(all.map(({ table }) => table))] },
  )
  const knowsSettings = await knowsProjectionSettings(load)
  await Promise.all(
    all.map(({ stage, table }) => {
      const of = shard.find(({ name }) => name === table)
      if (!of) throw new Error(`there is no table ${table}`)
      const parts = [
        ...of.columns.map(([, name, type, made, codec]) => `${quoteName(name)} ${type} ${made} ${codec}`),
        // Not asked of system.projections, which a server's user may not read without a further grant.
        ...PROJECTIONS.filter(([own]) => own === table).map(
          ([, name, select, settings]) =>
            `PROJECTION ${name} (${select})${settings && knowsSettings ? ` WITH SETTINGS (${settings})` : ''}`,
        ),
      ]
      return load.command(`CREATE TABLE ${quoteName(stage)} (${parts.join(', ')}) ENGINE = ${of.engine}`)
    }),
  )
}
