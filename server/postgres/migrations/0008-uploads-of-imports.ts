import { type Kysely, sql } from 'kysely'

/** Files for imports have rows like those of crowds. Files that came before have theirs made at the start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upload add column purpose text not null default 'crowd'`.execute(db)
  await sql`create index import_path on import (path)`.execute(db)
}
