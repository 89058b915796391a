import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPostgres } from '../../testing/postgres.ts'
import { MIGRATIONS, migrate } from '../migrate.ts'

let postgres: Awaited<ReturnType<typeof testPostgres>>
beforeAll(async () => {
  postgres = await testPostgres()
  await sql.raw('drop schema public cascade; create schema public').execute(postgres.db)
  const before = MIGRATIONS.findIndex(({ name }) => name === '0036-kept-members')
  await migrate(postgres.db, MIGRATIONS.slice(0, before))
  await fill()
  await migrate(postgres.db)
})
afterAll(() => postgres.close())

const run = (text: string) => sql.raw(text).execute(postgres.db)

/** Rows in another order than the versions came into force; an uploaded crowd goes back to a smaller version number. */
async function fill() {
  await run(`insert into viewer (id, username, realname, password_hash, is_admin, see_phones, see_restricted, created_at)
    values (1, 'a', '', '', true, true, true, 1)`)
  await run(`insert into advertiser (id, name, created_at) values (1, '店', 1)`)
  await run(`insert into rule (id, adv_id, creator_id, created_at, updated_at) values (1, 1, 1, 1, 1)`)
  await run(`insert into people (id, name, adv_id, dir_id, rule_id, creator_id, created_at, invalid_time, saved_by, saved_at,
      version, magnitude, computed_at) overriding system value values (7, '甲', 1, 1, 1, 1, 1, 9999999999, 1, 1, 3, 30, 300)`)
  await run(`insert into custom_crowd (id, adv_id, dir_id, name, user_id_type, creator_id, created_at, version,
      members_version, matched, counted_at) overriding system value
    values (8, 1, 1, '乙', 'IMEI', 1, 1, 2, 2, 5, 250)`)
  await run(`delete from crowd_size`)
  await run(`insert into crowd_size (crowd_id, version, count, counted_at) values
    (7, 3, 30, 300), (8, 2, 5, 250), (7, 1, 10, 100), (7, 2, 20, 200), (8, 65537, 4, 150)`)
}

test('of the versions from before only those in force have their people, and their order is that of time', async () => {
  const rows = await postgres.db
    .selectFrom('crowd_size')
    .select(['crowd_id', 'version', 'has_members', 'replaced_at'])
    .orderBy('no')
    .execute()
  expect(rows).toEqual([
    { crowd_id: 7, version: 1, has_members: false, replaced_at: 200 },
    { crowd_id: 8, version: 65537, has_members: false, replaced_at: 250 },
    { crowd_id: 7, version: 2, has_members: false, replaced_at: 300 },
    { crowd_id: 8, version: 2, has_members: true, replaced_at: null },
    { crowd_id: 7, version: 3, has_members: true, replaced_at: null },
  ])
})

test('a version that comes into force afterwards is the last', async () => {
  await postgres.db.insertInto('crowd_size').values({ crowd_id: 7, version: 4, count: 1, counted_at: 50 }).execute()
  const last = await postgres.db
    .selectFrom('crowd_size')
    .select('version')
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(last.version).toBe(4)
})
