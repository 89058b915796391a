import { type Kysely, sql } from 'kysely'

/**
 * Copies of the platforms' dictionaries for targeting and of the crowds that an account may use; estimates of reach, and
 * what an account's estimates count.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dictionary_copy (
      key text primary key, content json not null, read_at bigint not null, used_at bigint not null)`.execute(db)
  await sql`create index dictionary_copy_used on dictionary_copy (used_at)`.execute(db)
  await sql`
    create table reach_estimate (
      account_id integer not null references platform_account (id) on delete cascade, hash text not null,
      count bigint not null, at bigint not null, primary key (account_id, hash))`.execute(db)
  await sql`create index reach_estimate_at on reach_estimate (at)`.execute(db)
  await sql`alter table platform_account add column estimate_goals jsonb`.execute(db)
}
