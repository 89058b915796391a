import { StartError } from '../start-error.ts'
import type { Handles } from './handles.ts'
import { knowsProjectionSettings } from './projection-settings.ts'
import type { TableMigration } from './table-migration.ts'
import { peopleTables } from './tables/0001-people.ts'
import { memberTables } from './tables/0002-members.ts'
import { customCrowdTables } from './tables/0003-custom-crowds.ts'
import { identityTable } from './tables/0004-identity.ts'
import { repeatTables } from './tables/0005-repeats.ts'
import { suppressedPhones } from './tables/0006-suppressed-phones.ts'
import { synced } from './tables/0007-synced.ts'
import { peopleLists } from './tables/0008-people-lists.ts'
import { trackingTables } from './tables/0009-tracking.ts'
import { tombstones } from './tables/0010-tombstones.ts'
import { linksOfPages } from './tables/0011-links-of-pages.ts'
import { reports } from './tables/0012-reports.ts'
import { reportLists } from './tables/0013-report-lists.ts'
import { peopleByDay } from './tables/0014-people-by-day.ts'
import { reportLayouts } from './tables/0015-report-layouts.ts'

/** In order; a migration's number is its position. Never change a released one; add another. */
const MIGRATIONS: readonly TableMigration[] = [
  peopleTables,
  memberTables,
  customCrowdTables,
  identityTable,
  repeatTables,
  suppressedPhones,
  synced,
  peopleLists,
  trackingTables,
  tombstones,
  linksOfPages,
  reports,
  reportLists,
  peopleByDay,
  reportLayouts,
]

export async function migrate({ oneNode, everyShard }: Handles, migrations = MIGRATIONS): Promise<void> {
  const tables = await oneNode.query(
    `SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = 'table_migration'`,
  )
  // Not sent to a store that has the table: on a full disk every change of the tables is refused, a start is not.
  if (tables.length === 0) {
    await oneNode.command(
      `CREATE TABLE IF NOT EXISTS table_migration (version UInt32, name String, at DateTime DEFAULT now())
       ENGINE = MergeTree ORDER BY version`,
    )
  }
  const [row] = await oneNode.query<{ version: number }>('SELECT max(version) AS version FROM table_migration')
  const done = row?.version ?? 0
  if (done > migrations.length) {
    throw new StartError(
      `数据仓库来自更新的版本（表结构 ${done}，此版本只到 ${migrations.length}）：请用那个版本启动，或恢复更早的备份`,
    )
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < done) continue
    await runStatements({ oneNode, everyShard }, migration)
    await oneNode.insert('table_migration', [{ version: index + 1, name: migration.name }])
  }
}

/** Runs a migration's statements without noting it. */
export async function runStatements(
  { oneNode, everyShard }: Pick<Handles, 'oneNode' | 'everyShard'>,
  { statements }: TableMigration,
): Promise<void> {
  for (const statement of statements) {
    const { newer, older } = typeof statement === 'string' ? { newer: statement, older: statement } : statement
    const isKnown = newer === older || (await knowsProjectionSettings(oneNode))
    await everyShard.command(isKnown ? newer : older)
  }
}
