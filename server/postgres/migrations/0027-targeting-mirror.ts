import { type Kysely, sql } from 'kysely'

/** Copies of targeting packages on their platforms, packages made there, and the plans that use them there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `alter table targeting_package add column origin text not null default 'own'`,
    `alter table targeting_package alter column creator_id drop not null, alter column saved_by drop not null`,
    `drop index targeting_package_name`,
    `create unique index targeting_package_name on targeting_package (dir_id, adv_id, platform, name)
       where deleted_at is null and origin = 'own'`,
    `create unique index targeting_package_there on targeting_package (account_id, targeting_id)
       where deleted_at is null and targeting_id is not null`,

    `create table targeting_mirror (
       package_id integer primary key references targeting_package (id) on delete cascade,
       account_id integer not null references platform_account (id) on delete cascade,
       key text not null unique, state text not null, is_tried boolean not null default false,
       is_forced boolean not null default false, rev integer not null default 0, attempts integer not null default 0,
       outcome jsonb, name text, content jsonb, found jsonb, synced_at bigint)`,
    `create index targeting_mirror_account on targeting_mirror (account_id, state)`,

    `create table targeting_account (
       account_id integer primary key references platform_account (id) on delete cascade, read_at bigint, outcome jsonb)`,

    `create table targeting_platform_use (
       package_id integer not null references targeting_package (id) on delete cascade, plan_id text not null,
       name text not null, live boolean not null, primary key (package_id, plan_id))`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
