import { type Kysely, sql } from 'kysely'

/** The folder in which a version of a package was saved, by id and by its path then; null in versions from before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table targeting_version add column dir_id integer, add column dir_name text`.execute(db)
}
