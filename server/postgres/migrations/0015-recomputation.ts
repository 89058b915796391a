import { type Kysely, sql } from 'kysely'

/** Recomputation of many crowds together: when each is due, and which are looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table people add column due_at bigint, add column looked_at bigint`.execute(db)
  await sql`create index people_dirty on people (adv_id) where is_dirty`.execute(db)
}
