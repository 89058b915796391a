import { type Kysely, sql } from 'kysely'

/** Frames of other sites that were opened to watch change nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table embed_token add column is_read_only boolean not null default false`.execute(db)
  await sql`alter table session add column is_read_only boolean not null default false`.execute(db)
}
