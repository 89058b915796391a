import { type Kysely, sql } from 'kysely'

/** How plans that we created stood on their platforms after we wrote them last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaign_plan_there add column agreed jsonb`.execute(db)
}
