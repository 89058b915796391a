import { type Kysely, sql } from 'kysely'

/** Gives files of imports rows like files of crowds. The server's start makes the rows of older files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upload add column purpose text not null default 'crowd'`.execute(db)
  await sql`create index import_path on import (path)`.execute(db)
}
