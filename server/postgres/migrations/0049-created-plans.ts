import { type Kysely, sql } from 'kysely'

/** Plans that are created on their platforms, and parts of plans that are carried there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `alter table campaign_plan add column creation jsonb`,
    `alter table campaign_plan_there alter column there_id drop not null, add column want_create boolean not null default false,
       add column want_parts jsonb not null default '[]', add column mark text, add column making jsonb,
       add column refused jsonb`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
