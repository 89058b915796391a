import { type Kysely, sql } from 'kysely'

/** Control groups of crowds, and how many identifiers each push held out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table control_group (
       id integer primary key generated always as identity,
       custom_id integer references custom_crowd on delete cascade, people_id integer references people on delete cascade,
       share smallint not null, seed text not null, viewer_id integer not null references viewer, created_at bigint not null,
       pushed_at bigint, members_version bigint, ended_at bigint,
       check ((custom_id is null) <> (people_id is null)))`,
    // A crowd has one control group at a time; those that ended are kept.
    'create unique index control_group_custom on control_group (custom_id) where ended_at is null',
    'create unique index control_group_people on control_group (people_id) where ended_at is null',
    'alter table push add column held_out integer not null default 0',
  ])
    await sql.raw(statement).execute(db)
}
