import { type Kysely, sql } from 'kysely'

/** Copies of plans on their platforms, and what is being carried to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table campaign_change (
       id integer primary key generated always as identity, campaign_id integer not null references campaign on delete cascade,
       kind text not null, plan_id integer, is_open smallint not null, was_open smallint not null,
       viewer_id integer not null references viewer, at bigint not null, state text not null default 'running',
       problems jsonb)`,
    `create index campaign_change_running on campaign_change (campaign_id) where state = 'running'`,
    `create table campaign_plan_there (
       plan_id integer primary key references campaign_plan on delete cascade,
       account_id integer not null references platform_account on delete cascade, there_id text not null,
       state text not null default 'idle', want_on smallint, want_mode text, want_budget bigint, was_on smallint,
       change_id integer references campaign_change on delete set null, rev integer not null default 0,
       attempts integer not null default 0, outcome jsonb, found jsonb, is_gone boolean not null default false, read_at bigint)`,
    `create index campaign_plan_there_waiting on campaign_plan_there (account_id, attempts) where state = 'waiting'`,
    `create index campaign_plan_there_account on campaign_plan_there (account_id)`,
    `create index campaign_plan_there_change on campaign_plan_there (change_id) where change_id is not null`,
    `insert into campaign_plan_there (plan_id, account_id, there_id)
       select plan.id, plan.account_id, plan.plan_id from campaign_plan plan join campaign on campaign.id = plan.campaign_id
       where plan.deleted_at is null and campaign.deleted_at is null and campaign.submitted_at is not null
         and plan.plan_id is not null and plan.account_id is not null`,
    `create table plan_account (
       account_id integer primary key references platform_account on delete cascade, user_token text, read_at bigint,
       outcome jsonb)`,
    // What changes on a platform is logged too, by nobody.
    `alter table campaign_log alter column viewer_id drop not null`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
