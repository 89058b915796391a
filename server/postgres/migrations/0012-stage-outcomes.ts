import { type Kysely, sql } from 'kysely'

/** Why a task waits; its sentence is in `stage`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table task add column stage_outcome jsonb`.execute(db)
}
