import { type Kysely, sql } from 'kysely'

/** Requests to forget a person, with a receipt for each store and each audience; and who was forgotten, as HMACs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table tombstone (
       adv_id integer not null, token text not null, what text not null, owner text not null, key text not null, at bigint not null,
       primary key (adv_id, token))`,
    `create table forget (
       id integer primary key generated always as identity, adv_id integer not null, token text not null,
       person bigint, viewer_id integer, status text not null, sealed text, state jsonb not null default '{}',
       looks_left integer not null default 0, look_at bigint, replays integer not null default 0, error jsonb,
       task_id integer, asked_at bigint not null, finished_at bigint, unique (adv_id, token))`,
    `create table forget_receipt (
       forget_id integer not null references forget on delete cascade, store text not null, found bigint not null,
       status text not null, at bigint, primary key (forget_id, store))`,
    `create table forget_account (
       id integer primary key generated always as identity, forget_id integer not null references forget on delete cascade,
       child_id integer not null, account_id integer not null, count integer not null, status text not null, sealed text,
       tried_at bigint, asked_at bigint not null, finished_at bigint)`,
    `create index forget_account_of on forget_account (forget_id)`,
    `create index forget_account_child on forget_account (child_id)`,
    `alter table push add column forget_account_id integer`,
    // A push that removes a forgotten person waits beside the one that brings the crowd's changes.
    `drop index push_one_waits`,
    `create unique index push_one_waits on push (child_id) where status = 'waiting' and forget_account_id is null`,
    `create unique index push_one_removal on push (forget_account_id) where status in ('waiting', 'running', 'paused')`,
    `alter table crowd_file add column removed_on_request integer not null default 0`,
    `alter table custom_crowd add column removed_on_request integer not null default 0`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
