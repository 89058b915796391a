import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { openClickHouse, type Warehouse } from '../clickhouse/open.ts'

export type TestWarehouse = Warehouse & {
  dataDir: string
  /** The URL for other processes; undefined for the embedded one, which only one process may open. */
  clickhouseUrl?: string
  truncate(): Promise<void>
  /** Closes the connections and opens them again; an embedded engine too. */
  restart(): Promise<void>
}

/**
 * A separate warehouse for each test file: the embedded engine, which opens one path per process, or a database on the
 * ClickHouse server that `server` or RENQUN_TEST_CLICKHOUSE names. `close()` removes it.
 */
export async function testWarehouse({
  server = process.env.RENQUN_TEST_CLICKHOUSE,
  ...given
}: OnServer & { server?: string | undefined } = {}): Promise<TestWarehouse> {
  const dataDir = mkdtempSync(join(tmpdir(), 'renqun-warehouse-'))
  const database = server ? await testClickHouseDatabase(server, given) : undefined
  const open = () => openClickHouse({ dataDir, clickhouseUrl: database?.url })
  let warehouse = await open()
  return {
    get live() {
      return warehouse.live
    },
    get load() {
      return warehouse.load
    },
    get intake() {
      return warehouse.intake
    },
    fileEngine: () => warehouse.fileEngine(),
    dataDir,
    ...(database && { clickhouseUrl: database.url }),
    truncate: () => truncateWarehouse(warehouse),
    async restart() {
      await warehouse.close()
      warehouse = await open()
    },
    async close() {
      await warehouse.close()
      await database?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

interface OnServer {
  /** The database's name; by default a new one. */
  database?: string
  /** The user, who has the password of the server's own user; by default that one, or RENQUN_TEST_CLICKHOUSE_USER. */
  user?: string | undefined
  /** For a test that needs more rights than the console has: the server's own user. */
  hasAllRights?: boolean
}

export const TEST_DATABASES = 'renqun_test_'

/** A new database on a server. */
export async function testClickHouseDatabase(
  server: string,
  {
    database: name = `${TEST_DATABASES}${randomUUID().replaceAll('-', '')}`,
    hasAllRights = server !== process.env.RENQUN_TEST_CLICKHOUSE,
    user = hasAllRights ? undefined : process.env.RENQUN_TEST_CLICKHOUSE_USER,
  }: OnServer = {},
): Promise<{ url: string; drop(): Promise<void> }> {
  const url = new URL(server)
  url.pathname = `/${name}`
  if (user) url.username = user
  await onServer(server, `CREATE DATABASE ${name}`)
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE ${name} SYNC`) }
}

async function onServer(url: string, query: string): Promise<void> {
  const client = createClient({ url, log: { level: ClickHouseLogLevel.OFF } })
  try {
    await client.command({ query })
  } finally {
    await client.close()
  }
}

async function truncateWarehouse(warehouse: Warehouse): Promise<void> {
  const tables = await warehouse.load.acrossShards.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND name != 'table_migration' AND engine LIKE '%MergeTree'
     AND total_rows > 0`,
  )
  for (const { name } of tables) await warehouse.load.acrossShards.command('TRUNCATE TABLE {name:Identifier}', { name })
}
