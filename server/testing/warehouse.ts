import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClickHouse, type Warehouse } from '../clickhouse/open.ts'

export type TestWarehouse = Warehouse & {
  dataDir: string
  truncate(): Promise<void>
  /** Closes the engine and opens it again at the same path. */
  restart(): Promise<void>
}

/** One store per test file, in a directory of its own: the engine binds one path per process. */
export async function testWarehouse(): Promise<TestWarehouse> {
  const dataDir = mkdtempSync(join(tmpdir(), 'renqun-warehouse-'))
  let warehouse = await openClickHouse({ dataDir })
  return {
    get live() {
      return warehouse.live
    },
    get load() {
      return warehouse.load
    },
    dataDir,
    truncate: () => truncateWarehouse(warehouse),
    async restart() {
      await warehouse.close()
      warehouse = await openClickHouse({ dataDir })
    },
    async close() {
      await warehouse.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function truncateWarehouse(warehouse: Warehouse): Promise<void> {
  const tables = await warehouse.load.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND name != 'table_migration' AND engine LIKE '%MergeTree'
     AND total_rows > 0`,
  )
  for (const { name } of tables) await warehouse.load.command('TRUNCATE TABLE {name:Identifier}', { name })
}
