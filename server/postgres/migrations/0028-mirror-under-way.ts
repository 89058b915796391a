import { type Kysely, sql } from 'kysely'

/** What is being written to the copy of a package, which may stand there although no answer came. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table targeting_mirror add column sending jsonb`.execute(db)
}
