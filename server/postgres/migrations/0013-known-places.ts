import { type Kysely, sql } from 'kysely'

/** Browsers and addresses from which viewers signed in before, so that guesses from elsewhere do not lock them out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table known_place (
    viewer_id integer not null references viewer on delete cascade,
    kind text not null check (kind in ('browser', 'address')),
    value text not null,
    last_used bigint not null,
    primary key (viewer_id, kind, value)
  )`.execute(db)
  await sql`create index known_place_browser on known_place (value) where kind = 'browser'`.execute(db)
}
