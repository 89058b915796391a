import { type Kysely, sql } from 'kysely'

/** Which days of platforms' reports were read, how the reading of each account stands, and what platforms corrected. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table report_account (
       account_id integer primary key references platform_account on delete cascade,
       state text not null, outcome jsonb, attempts integer not null default 0, version bigint not null default 0,
       asked_at bigint, synced_at bigint, failed_at bigint)`,

    // is_due: to be read. version: of the reading in force; null for a day that was never read whole.
    `create table report_read (
       account_id integer not null references report_account on delete cascade, date text not null, is_due boolean not null,
       version bigint, read_at bigint, outcome jsonb, primary key (account_id, date))`,
    `create index report_read_due on report_read (account_id, date) where is_due`,

    `create table report_correction (
       account_id integer not null references report_account on delete cascade, date text not null, plan_id text not null,
       at bigint not null, metric text not null, before bigint not null, after bigint not null,
       primary key (account_id, date, plan_id))`,

    // Odd days that webhooks were told of, or would have been.
    `create table report_told (
       campaign_id integer not null references campaign on delete cascade, date text not null, mark text not null,
       at bigint not null, primary key (campaign_id, date, mark))`,
    // A new webhook is told of everything unless it says otherwise; those that are there chose before this could be chosen.
    `alter table webhook alter column events set default '{push,crowd,report}'`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
