import { type Kysely, sql } from 'kysely'

/** Which platforms there are is said by PLATFORMS in the contract alone; the column allowed 1 to 3. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table platform_account drop constraint platform_account_platform_check`.execute(db)
}
