import { type Kysely, sql } from 'kysely'

/**
 * Which versions of a crowd still have their people, in the order in which they came into force, and when each was
 * replaced. Of the versions from before, only the one in force has its people.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table crowd_size add column no bigint, add column has_members boolean not null default true,
    add column replaced_at bigint`.execute(db)
  await sql`update crowd_size set no = found.no,
      has_members = found.is_in_force,
      replaced_at = case when found.is_in_force then null else coalesce(found.next_at, found.counted_at) end
    from (select crowd_id, version, counted_at,
            row_number() over (order by counted_at, version) as no,
            lead(counted_at) over (partition by crowd_id order by counted_at, version) as next_at,
            exists (select from people where people.id = crowd_id and people.version = crowd_size.version)
              or exists (select from custom_crowd
                where custom_crowd.id = crowd_id and custom_crowd.members_version = crowd_size.version) as is_in_force
          from crowd_size) as found
    where found.crowd_id = crowd_size.crowd_id and found.version = crowd_size.version`.execute(db)
  await sql`alter table crowd_size alter column no set not null,
    alter column no add generated always as identity`.execute(db)
  await sql`select setval(pg_get_serial_sequence('crowd_size', 'no'), (select coalesce(max(no), 0) + 1 from crowd_size),
    false)`.execute(db)
  await sql`create index crowd_size_members on crowd_size (crowd_id) where has_members and replaced_at is not null`.execute(
    db,
  )
}
