import { type Kysely, sql } from 'kysely'

/** Since when an account's packages cannot be read on its platform. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table targeting_account add column failed_at bigint`.execute(db)
}
