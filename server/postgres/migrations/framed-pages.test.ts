import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPostgres } from '../../testing/postgres.ts'
import { MIGRATIONS, migrate } from '../migrate.ts'

let postgres: Awaited<ReturnType<typeof testPostgres>>
beforeAll(async () => {
  postgres = await testPostgres()
  await sql.raw('drop schema public cascade; create schema public').execute(postgres.db)
  const before = MIGRATIONS.findIndex(({ name }) => name.endsWith('-framed-pages'))
  await migrate(postgres.db, MIGRATIONS.slice(0, before))
  for (const statement of [
    `insert into viewer (id, username, realname, password_hash, is_admin, see_phones, see_restricted, is_disabled, created_at)
      values (1, 'one', '', '', false, false, false, false, 1)`,
    `insert into advertiser (id, name, created_at) values (5, '品牌', 1)`,
    `insert into session (viewer_id, token_hash, created_at, last_seen, expires_at, address, agent, adv_id) values
      (1, 'console', 1, 1, 9, '', '', null), (1, 'frame', 1, 1, 9, '', '', 5)`,
    `insert into embed_token (token_hash, viewer_id, adv_id, origin, expires_at) values ('t', 1, 5, 'https://a.test', 9)`,
  ])
    await sql.raw(statement).execute(postgres.db)
  await migrate(postgres.db)
})
afterAll(() => postgres.close())

test('frames that were opened before they were held to one thing end, and sessions of the console stay', async () => {
  expect(await postgres.db.selectFrom('session').select('token_hash').execute()).toEqual([{ token_hash: 'console' }])
  expect(await postgres.db.selectFrom('embed_token').selectAll().execute()).toEqual([])
})

test('a session that sees one advertiser always says what it shows', async () => {
  const stored =
    sql`insert into session (viewer_id, token_hash, created_at, last_seen, expires_at, address, agent, adv_id)
    values (1, 'half', 1, 1, 9, '', '', 5)`.execute(postgres.db)
  await expect(stored).rejects.toThrow(/check constraint/)
})
