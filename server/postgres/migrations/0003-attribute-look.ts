import { type Kysely, sql } from 'kysely'

/** An attribute's values are counted exactly some time after new data; this marks the counts that are due. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table attribute add column values_due boolean not null default false`.execute(db)
}
