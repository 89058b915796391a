import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { openJobs } from '../jobs/open.ts'
import { migrate } from '../postgres/migrate.ts'
import { openPostgres, type Postgres } from '../postgres/open.ts'

export interface TestPostgres extends Postgres {
  dataDir: string
  /** The URL for other processes; undefined for PGlite, which only one process may open. */
  databaseUrl?: string
  /** Closes it so that another process may open it; `close()` must still be called. */
  pause(): Promise<void>
}

/**
 * A new, migrated, empty database: PGlite in a temporary directory, or a database made on the server that
 * RENQUN_TEST_POSTGRES names, as its superuser. `close()` removes it.
 */
export async function testPostgres(): Promise<TestPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'renqun-test-'))
  const server = process.env.RENQUN_TEST_POSTGRES
  const postgres = server ? await onServer(server, dataDir) : await onPglite(dataDir)
  let paused = false
  return {
    ...postgres,
    dataDir,
    async pause() {
      paused = true
      await postgres.close()
    },
    async close() {
      if (!paused) await postgres.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Emptied embedded databases of earlier test files of this process. */
const spare: TestPostgres[] = []

/**
 * As `testPostgres`, but an embedded database is handed on to the next test file of the same process, since opening one
 * takes a second of processor time. For tests that only change rows.
 */
export async function sharedPostgres(): Promise<TestPostgres> {
  if (process.env.RENQUN_TEST_POSTGRES) return testPostgres()
  const postgres = spare.pop() ?? (await testPostgres())
  return {
    ...postgres,
    async close() {
      await truncateAll(postgres.db)
      for (const name of readdirSync(postgres.dataDir)) {
        if (name !== 'postgres') rmSync(join(postgres.dataDir, name), { recursive: true, force: true })
      }
      spare.push(postgres)
    },
  }
}

/** Empties every table, the queue too, and restarts their ids; the default folder, made by a migration, is made again. */
export async function truncateAll<DB>(db: Kysely<DB>): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where (schemaname = 'public' and tablename <> 'schema_migration')
       or (schemaname = 'pgboss' and tablename = 'job_common')`.execute(db)
  const { rows: sequences } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname = 'public'`.execute(db)
  // Ten times as fast on PGlite as TRUNCATE, which creates new files for every table.
  await sql
    .raw(
      [
        'begin',
        'set local session_replication_role = replica',
        ...tables.map(({ name }) => `delete from ${name}`),
        ...sequences.map(({ name }) => `select setval('${name}', 1, false)`),
        `insert into asset_folder (id, name, created_at) values (1, '默认分组', 0)`,
        `select setval('asset_folder_id_seq', 2, false)`,
        `insert into custom_folder (id, name, created_at) values (1, '默认分组', 0)`,
        `select setval('custom_folder_id_seq', 2, false)`,
        'commit',
      ].join(';'),
    )
    .execute(db)
}

async function onPglite(dataDir: string): Promise<Postgres> {
  cpSync(await template(), join(dataDir, 'postgres'), { recursive: true })
  return openPostgres({ dataDir })
}

/** A migrated PGlite directory, made once per set of migrations; copying it takes a tenth of the time of a new one. */
export async function template(): Promise<string> {
  const kept = process.env.RENQUN_TEST_KEPT || tmpdir()
  const made = join(kept, `renqun-template-${fingerprint()}`)
  if (existsSync(made)) return made
  const dataDir = mkdtempSync(join(kept, 'renqun-template-'))
  const postgres = await openPostgres({ dataDir })
  await prepare(postgres)
  await postgres.close()
  try {
    renameSync(join(dataDir, 'postgres'), made)
  } catch (error) {
    // Another test file has made it meanwhile.
    if (!existsSync(made)) throw error
  }
  rmSync(dataDir, { recursive: true, force: true })
  return made
}

function fingerprint(): string {
  const hash = createHash('sha256')
  const migrations = join(import.meta.dirname, '../postgres/migrations')
  for (const file of readdirSync(migrations).sort()) hash.update(file).update(readFileSync(join(migrations, file)))
  for (const file of ['../postgres/migrate.ts', '../../package.json'])
    hash.update(readFileSync(join(import.meta.dirname, file)))
  return hash.digest('hex').slice(0, 16)
}

async function onServer(url: string, dataDir: string): Promise<Postgres & { databaseUrl: string }> {
  const name = `renqun_test_${randomUUID().replaceAll('-', '')}`
  await onAdmin(url, `create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  mkdirSync(dataDir, { recursive: true })
  const postgres = await openPostgres({ databaseUrl: own.href, dataDir })
  await prepare(postgres)
  return {
    ...postgres,
    databaseUrl: own.href,
    async close() {
      await postgres.close()
      await onAdmin(url, `drop database ${name} with (force)`)
    },
  }
}

async function prepare(postgres: Postgres) {
  await migrate(postgres.db)
  const jobs = openJobs(postgres)
  await jobs.start({ work: false })
  await jobs.stop()
}

async function onAdmin(url: string, statement: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}
