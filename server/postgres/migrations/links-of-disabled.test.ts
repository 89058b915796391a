import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPostgres } from '../../testing/postgres.ts'
import { MIGRATIONS, migrate } from '../migrate.ts'

let postgres: Awaited<ReturnType<typeof testPostgres>>
beforeAll(async () => {
  postgres = await testPostgres()
  await sql.raw('drop schema public cascade; create schema public').execute(postgres.db)
  const before = MIGRATIONS.findIndex(({ name }) => name.endsWith('-links-of-disabled'))
  await migrate(postgres.db, MIGRATIONS.slice(0, before))
  await sql`insert into viewer (id, username, realname, password_hash, is_admin, see_phones, see_restricted, is_disabled, created_at) values
    (1, 'here', '', '', false, false, false, false, 1), (2, 'gone', '', '', false, false, false, true, 1)`.execute(
    postgres.db,
  )
  await sql`insert into advertiser (id, name, created_at) overriding system value values (1, '甲', 1)`.execute(
    postgres.db,
  )
  await sql`insert into campaign (id, adv_id, name, creator_id, created_at, saved_by, saved_at)
    overriding system value values (1, 1, '双11', 1, 1, 1, 1)`.execute(postgres.db)
  await sql`insert into report_link (campaign_id, viewer_id, token_hash, created_at, expires_at) values
    (1, 1, 'here', 1, 9999999999), (1, 2, 'gone', 1, 9999999999)`.execute(postgres.db)
  await migrate(postgres.db)
})
afterAll(() => postgres.close())

test('the links of viewers who are disabled are revoked', async () => {
  const links = await postgres.db
    .selectFrom('report_link')
    .select('token_hash')
    .where('revoked_at', 'is', null)
    .execute()
  expect(links).toEqual([{ token_hash: 'here' }])
})
