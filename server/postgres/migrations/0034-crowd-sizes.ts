import { type Kysely, sql } from 'kysely'

/** How many people each version of a crowd had, kept after the version's people are gone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table crowd_size (
    crowd_id integer, version bigint, count bigint not null, counted_at bigint not null,
    primary key (crowd_id, version))`.execute(db)
  await sql`insert into crowd_size (crowd_id, version, count, counted_at)
    select id, version, magnitude, computed_at from people
    where version > 0 and magnitude is not null and computed_at is not null
    union all
    select id, members_version, matched, counted_at from custom_crowd
    where members_version > 0 and matched is not null and counted_at is not null`.execute(db)
}
