import { type Kysely, sql } from 'kysely'

/** Tokens of viewers who were disabled before disabling revoked them: they must not work again when one is enabled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from embed_token where viewer_id in (select id from viewer where is_disabled)`.execute(db)
  await sql`delete from api_token where viewer_id in (select id from viewer where is_disabled)`.execute(db)
}
