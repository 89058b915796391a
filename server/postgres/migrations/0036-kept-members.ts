import { type Kysely, sql } from 'kysely'

/**
 * Which versions of a crowd still have their people, in the order in which they came into force, and when each was
 * replaced. Of the versions from before, only the one in force has its people.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table crowd_size
    add column no bigint generated always as identity,
    add column has_members boolean not null default true,
    add column replaced_at bigint`.execute(db)
  await sql`update crowd_size set has_members = false, replaced_at = next.counted_at
    from (select crowd_id, version, lead(counted_at) over (partition by crowd_id order by no) as counted_at
          from crowd_size) as next
    where next.crowd_id = crowd_size.crowd_id and next.version = crowd_size.version and next.counted_at is not null`.execute(
    db,
  )
  await sql`create index crowd_size_members on crowd_size (crowd_id) where has_members and replaced_at is not null`.execute(
    db,
  )
}
