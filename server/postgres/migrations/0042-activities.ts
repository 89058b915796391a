import { type Kysely, sql } from 'kysely'

/** Activities with their plans, log, products and saved assets; and until when a plan uses something. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table campaign_product (
       id integer primary key generated always as identity, adv_id integer not null references advertiser on delete cascade,
       name text not null, created_at bigint not null, unique (adv_id, name))`,

    `create table campaign (
       id integer primary key generated always as identity, adv_id integer not null references advertiser on delete cascade,
       name text not null, product_id integer references campaign_product on delete set null,
       auto_sync smallint not null default 1, is_open smallint not null default 0, submitted_at bigint, last_day text,
       creator_id integer not null references viewer, created_at bigint not null,
       saved_by integer not null references viewer, saved_at bigint not null,
       ver integer not null default 1, deleted_at bigint)`,
    `create index campaign_list on campaign (adv_id, created_at, id) where deleted_at is null`,

    // The demo data has uses of plans that do not exist, which are numbered from 1.
    `create table campaign_plan (
       id integer primary key generated always as identity (start with 1001),
       campaign_id integer not null references campaign on delete cascade, position integer not null, name text not null,
       platform smallint not null, account_id integer references platform_account on delete set null, plan_id text,
       package_id integer references targeting_package on delete set null, budget_mode text not null, budget bigint,
       start_date text, end_date text, hours text, is_open smallint not null,
       created_at bigint not null, deleted_at bigint)`,
    `create index campaign_plan_of on campaign_plan (campaign_id, position) where deleted_at is null`,
    // A platform's plan is counted once.
    `create unique index campaign_plan_linked on campaign_plan (account_id, plan_id)
       where deleted_at is null and plan_id is not null`,
    `create index campaign_plan_named on campaign_plan (plan_id, id) where deleted_at is null and plan_id is not null`,
    `create table campaign_plan_crowd (
       plan_id integer not null references campaign_plan on delete cascade,
       child_id integer not null references audience on delete cascade, role text not null, primary key (plan_id, child_id))`,
    `create index campaign_plan_crowd_child on campaign_plan_crowd (child_id)`,

    `create table campaign_log (
       id integer primary key generated always as identity, campaign_id integer not null references campaign on delete cascade,
       op_type smallint not null, viewer_id integer not null references viewer, at bigint not null,
       before jsonb, after jsonb)`,
    `create index campaign_log_of on campaign_log (campaign_id, id)`,

    `create table campaign_asset (
       id integer primary key generated always as identity, adv_id integer not null references advertiser on delete cascade,
       name text not null, content jsonb not null, creator_id integer not null references viewer, created_at bigint not null,
       unique (adv_id, name))`,
    `create table campaign_columns (viewer_id integer primary key references viewer on delete cascade, keys jsonb not null)`,

    // The last second of a plan's last day; null where it has none.
    `alter table plan_use add column until bigint`,
    `alter table audience_use add column until bigint`,
    `alter table targeting_use add column until bigint`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
