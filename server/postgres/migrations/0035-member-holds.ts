import { type Kysely, sql } from 'kysely'

/** Versions of tags and crowds that somebody still reads, so that they are not dropped until then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table member_hold (
    id integer primary key generated always as identity, adv_id integer not null, sets jsonb not null,
    until bigint not null)`.execute(db)
}
