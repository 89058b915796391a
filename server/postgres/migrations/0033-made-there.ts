import { type Kysely, sql } from 'kysely'

/** What platforms say of packages made there that a targeting cannot hold. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table targeting_there (
    package_id integer primary key references targeting_package (id) on delete cascade,
    left_out jsonb not null, words text, lost_crowds jsonb, plans integer)`.execute(db)
}
