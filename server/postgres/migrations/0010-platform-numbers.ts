import { type Kysely, sql } from 'kysely'

/** Drops the check that allowed only 1 to 3: PLATFORMS in the contract lists the platforms. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table platform_account drop constraint platform_account_platform_check`.execute(db)
}
