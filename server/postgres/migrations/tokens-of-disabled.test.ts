import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPostgres } from '../../testing/postgres.ts'
import { MIGRATIONS, migrate } from '../migrate.ts'

let postgres: Awaited<ReturnType<typeof testPostgres>>
beforeAll(async () => {
  postgres = await testPostgres()
  await sql.raw('drop schema public cascade; create schema public').execute(postgres.db)
  const before = MIGRATIONS.findIndex(({ name }) => name.endsWith('-tokens-of-disabled'))
  await migrate(postgres.db, MIGRATIONS.slice(0, before))
  await sql`insert into viewer (id, username, realname, password_hash, is_admin, see_phones, see_restricted, is_disabled, created_at) values
    (1, 'here', '', '', false, false, false, false, 1), (2, 'gone', '', '', false, false, false, true, 1)`.execute(
    postgres.db,
  )
  await sql`insert into api_token (viewer_id, name, token_hash, tail, created_at) values
    (1, 'a', 'a', 'aaaa', 1), (2, 'b', 'b', 'bbbb', 1)`.execute(postgres.db)
  await migrate(postgres.db)
})
afterAll(() => postgres.close())

test('the tokens of viewers who are disabled are revoked', async () => {
  expect(await postgres.db.selectFrom('api_token').select('name').execute()).toEqual([{ name: 'a' }])
})
