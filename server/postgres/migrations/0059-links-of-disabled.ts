import { type Kysely, sql } from 'kysely'

/** Links of viewers who were disabled or deleted before that revoked them: they must not work again when one is enabled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update report_link set revoked_at = extract(epoch from now())::bigint
    where revoked_at is null and viewer_id in (select id from viewer where is_disabled)`.execute(db)
}
