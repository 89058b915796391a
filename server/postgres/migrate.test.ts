import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StartError } from '../start-error.ts'
import { testPostgres } from '../testing/postgres.ts'
import { MIGRATIONS, type Migration, migrate } from './migrate.ts'

let postgres: Awaited<ReturnType<typeof testPostgres>>
beforeAll(async () => {
  postgres = await testPostgres()
})
afterAll(() => postgres.close())

const make = (name: string, statement: string): Migration => ({
  name,
  up: async (tx: Kysely<unknown>) => {
    await sql.raw(statement).execute(tx)
  },
})
const tables = async () => {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where tablename like 'later%' order by 1`.execute(postgres.db)
  return rows.map((row) => row.name)
}

test('a migrated store needs no migration', async () => {
  expect(await migrate(postgres.db)).toEqual([])
})

test('an older store gets the missing migrations in order, all or none', async () => {
  const later = [
    ...MIGRATIONS,
    make('9001-later', 'create table later_a (n int)'),
    make('9002-broken', 'create nonsense'),
  ]
  await expect(migrate(postgres.db, later)).rejects.toThrow('nonsense')
  expect(await tables()).toEqual([])

  const fixed = [...later.slice(0, -1), make('9002-fixed', 'alter table later_a rename to later_b')]
  expect(await migrate(postgres.db, fixed)).toEqual(['9001-later', '9002-fixed'])
  expect(await tables()).toEqual(['later_b'])
  expect(await migrate(postgres.db, fixed)).toEqual([])
})

test('processes that migrate at the same time run each migration once', async () => {
  const list = [
    ...MIGRATIONS,
    make('9001-later', ''),
    make('9002-fixed', ''),
    make('9003-once', 'create table later_once (n int)'),
  ]
  const done = await Promise.all([1, 2, 3, 4].map(() => migrate(postgres.db, list)))
  expect(done.flat()).toEqual(['9003-once'])
})

test('a store of newer code is refused with a sentence', async () => {
  await sql`insert into schema_migration values ('9999-future', 0)`.execute(postgres.db)
  await expect(migrate(postgres.db)).rejects.toThrow(StartError)
  await expect(migrate(postgres.db)).rejects.toThrow(/更新版本的程序/)
})
