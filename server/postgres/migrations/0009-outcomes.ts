import { type Kysely, sql } from 'kysely'

/** Columns that change from a sentence to `{code, params}`. */
const REASONS: readonly (readonly [table: string, column: string])[] = [
  ['platform_login', 'error'],
  ['platform_account', 'auth_error'],
  ['audience', 'reason'],
  ['push', 'reason'],
  ['push_part', 'reason'],
  ['custom_crowd', 'fail_reason'],
  ['custom_version', 'error'],
  ['people', 'fail_reason'],
  ['import', 'error'],
  ['tag', 'error'],
  ['task', 'error'],
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of REASONS) await toOutcomes(db, table, column)
  await codePausedPushes(db)
}

/** Turns a column of sentences into one of outcomes. */
export async function toOutcomes(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  const at = sql.ref(column)
  await sql`alter table ${sql.table(table)} alter column ${at} type jsonb using case
    when nullif(${at}, '') is null then null
    else jsonb_build_object('code', 'legacy', 'params', jsonb_build_object('text', ${at})) end`.execute(db)
}

/** Gives paused pushes that wait for an authorisation its code, by which the console offers 重新授权. */
async function codePausedPushes(db: Kysely<unknown>): Promise<void> {
  await sql`
    update push set reason = jsonb_build_object(
      'code', 'push_waits_for_authorisation', 'params', jsonb_build_object('cause', why.cause))
    from (
      select audience.id as child_id, case
        when account.login_id is null and account.authorised_at is null
          then jsonb_build_object('code', 'account_never_authorised', 'params', jsonb_build_object('account', account.name))
        when account.login_id is null
          or login.refresh_expires_at <= floor(extract(epoch from clock_timestamp()))
          or account.auth_error is not null or login.error is not null or login.tokens is null
          then jsonb_build_object('code', 'account_closed', 'params', jsonb_build_object('account', account.name, 'cause', case
            when account.login_id is null then null
            when login.refresh_expires_at <= floor(extract(epoch from clock_timestamp()))
              then '{"code": "authorisation_expired", "params": {}}'::jsonb
            else coalesce(account.auth_error, login.error, '{"code": "authorisation_invalid", "params": {}}'::jsonb) end))
        when not account.scope_list @> '["all"]'
          and not (account.platform = 1 and account.scope_list @> '["audience_management"]')
          then jsonb_build_object('code', 'account_lacks_scope', 'params', jsonb_build_object('account', account.name,
            'scope', case account.platform when 1 then 'audience_management' else 'all' end))
        end as cause
      from audience
      join platform_account account on account.id = audience.account_id
      left join platform_login login on login.id = account.login_id
    ) why
    where why.child_id = push.child_id and why.cause is not null and push.status = 'paused'`.execute(db)
}
