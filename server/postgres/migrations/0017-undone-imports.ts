import { type Kysely, sql } from 'kysely'

/** What an import brought and what its undoing took away; the greatest number a person of an advertiser ever had. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table import add column brought jsonb, add column undo jsonb`.execute(db)
  await sql`alter table advertiser add column last_uid bigint not null default 0`.execute(db)
}
