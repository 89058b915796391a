import { type Kysely, sql } from 'kysely'

/** The metrics in which an account has more on a day than its plans. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table report_read add column rest text[] not null default '{}'`.execute(db)
}
