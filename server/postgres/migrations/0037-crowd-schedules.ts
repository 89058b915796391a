import { type Kysely, sql } from 'kysely'

/** Times of its own at which a crowd is recomputed, and whether data changed that it will count only then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table people add column schedule jsonb, add column next_at bigint,
    add column is_behind boolean not null default false`.execute(db)
  await sql`create index people_scheduled on people (next_at) where schedule is not null`.execute(db)
}
