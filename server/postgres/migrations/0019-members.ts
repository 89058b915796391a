import { type Kysely, sql } from 'kysely'

/** Memberships that may only look, and viewers who were deleted but whose names stay with what they made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table viewer_advertiser add column is_read_only boolean not null default false`.execute(db)
  await sql`alter table viewer add column deleted_at bigint`.execute(db)
  // The sign-in name of a deleted viewer is free again.
  await sql`drop index viewer_username`.execute(db)
  await sql`create unique index viewer_username on viewer (lower(username)) where deleted_at is null`.execute(db)
}
