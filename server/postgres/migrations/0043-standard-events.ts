import { type Kysely, sql } from 'kysely'

/** What an event stands for in the reports of activities: {standard, amount, goods}. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table event_name add column meaning jsonb`.execute(db)
}
