import { type Kysely, sql } from 'kysely'

/** Crowds whose changes are told: by more than which share, compared with which version, and how far that was looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table people add column tell_share integer, add column told_version bigint,
    add column checked_version bigint`.execute(db)
  await sql`alter table webhook add column events text[] not null default '{push,crowd}'`.execute(db)
}
