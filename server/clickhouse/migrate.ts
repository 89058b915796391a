import { StartError } from '../start-error.ts'
import type { Engine } from './engine.ts'
import { peopleTables } from './tables/0001-people.ts'
import { memberTables } from './tables/0002-members.ts'

/** Statements that may run again: a migration cut short by a kill is repeated whole. */
export type TableMigration = { name: string; statements: readonly string[] }

/** In order; a migration's number is its place. Never change one that was released, add another. */
const MIGRATIONS: readonly TableMigration[] = [peopleTables, memberTables]

export async function migrate(engine: Engine, migrations = MIGRATIONS): Promise<void> {
  await engine.command(
    `CREATE TABLE IF NOT EXISTS table_migration (version UInt32, name String, at DateTime DEFAULT now())
     ENGINE = MergeTree ORDER BY version`,
  )
  const [row] = await engine.query<{ version: number }>('SELECT max(version) AS version FROM table_migration')
  const done = row?.version ?? 0
  if (done > migrations.length) {
    throw new StartError(
      `The warehouse is of a newer Renqun (tables ${done}, this one knows ${migrations.length}): start that version, or restore an older backup`,
    )
  }
  for (const [index, { name, statements }] of migrations.entries()) {
    if (index < done) continue
    for (const statement of statements) await engine.command(statement)
    await engine.insert('table_migration', [{ version: index + 1, name }])
  }
}
