import { type Kysely, sql } from 'kysely'

/** What viewers write about a platform account, such as what it is used for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table platform_account add column remark text not null default ''`.execute(db)
}
