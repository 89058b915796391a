import { type Kysely, sql } from 'kysely'

/** Read-only links to the day reports of activities, for people without an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table report_link (
       id integer primary key generated always as identity, campaign_id integer not null references campaign on delete cascade,
       viewer_id integer not null references viewer, token_hash text not null unique,
       created_at bigint not null, expires_at bigint not null, revoked_at bigint,
       opened integer not null default 0, last_opened_at bigint)`,
    'create index report_link_of on report_link (campaign_id)',
  ])
    await sql.raw(statement).execute(db)
}
