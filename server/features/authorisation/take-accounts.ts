import { sql, type Transaction } from 'kysely'
import { accountFullName } from '#contract/advertiser.ts'
import type { AuthorisationOutcome } from '#contract/authorisation.ts'
import { outcome } from '#contract/outcome.ts'
import type { PlatformCode } from '#contract/platform.ts'
import type { AuthorisedAccount } from '../../platforms/oauth-client.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

interface Authorised {
  adv_id: number
  platform: PlatformCode
  /** The platform whose logins it uses: itself, or another one of the vendor. */
  login_platform: PlatformCode
  login: { external_id: string; name: string }
  /** The encrypted tokens and when they end. */
  tokens: { tokens: string; expires_at: number; refresh_expires_at: number }
  accounts: readonly AuthorisedAccount[]
  /** Advertisers whose names the viewer may know. */
  adv_ids: readonly number[]
}

type Taken = Pick<AuthorisationOutcome, 'accounts' | 'lost' | 'elsewhere'> & {
  login_id: number | null
  /** Accounts that can be used again, including those of other advertisers that the login serves. */
  usable: number[]
}

/**
 * Stores a login's new tokens and makes or updates the accounts it manages. An account stays with the advertiser that
 * has it; when it is served by this same login, the new tokens serve it too.
 */
export async function takeAccounts(tx: Transaction<Database>, given: Authorised): Promise<Taken> {
  const { adv_id, platform } = given
  const login_id = await storeLogin(tx, given)
  // Sorted, so that two concurrent authorisations cannot deadlock.
  const accounts = (await namedApart(tx, given)).toSorted((one, other) =>
    one.external_id < other.external_id ? -1 : 1,
  )
  const isNew = new Set<string>()
  if (accounts.length > 0) {
    const made = await tx
      .insertInto('platform_account')
      .values(accounts.map(({ external_id, name }) => ({ adv_id, platform, external_id, name, scope_list: '[]' })))
      .onConflict((oc) => oc.doNothing())
      .returning('external_id')
      .execute()
    for (const row of made) isNew.add(row.external_id)
  }
  const held = await tx
    .selectFrom('platform_account')
    .innerJoin('advertiser', 'advertiser.id', 'platform_account.adv_id')
    .select([
      'platform_account.id',
      'platform_account.adv_id',
      'platform_account.external_id',
      'platform_account.name',
      'platform_account.login_id',
      'advertiser.name as adv_name',
    ])
    .where('platform', '=', platform)
    .where((eb) =>
      eb.or([
        eb('login_id', '=', login_id),
        eb(
          'platform_account.external_id',
          'in',
          accounts.length ? accounts.map((account) => account.external_id) : [''],
        ),
      ]),
    )
    .orderBy('platform_account.id')
    .forUpdate('platform_account')
    .execute()

  const fresh: { id: number; name: string; scope_list: string[] }[] = []
  const taken: Taken = { login_id, accounts: [], lost: [], elsewhere: [], usable: [] }
  for (const row of held) {
    const { id, external_id } = row
    const account = accounts.find((one) => one.external_id === external_id)
    const isOurs = row.adv_id === adv_id
    if (!account) {
      await tx
        .updateTable('platform_account')
        .set({ auth_error: outcome('account_not_in_login') })
        .where('id', '=', id)
        .execute()
      if (isOurs) taken.lost.push({ external_id, name: row.name })
      continue
    }
    const { name } = account
    if (isOurs) taken.accounts.push({ id, external_id, name, is_new: isNew.has(external_id) })
    else {
      const adv_name = given.adv_ids.includes(row.adv_id) ? row.adv_name : null
      taken.elsewhere.push({ external_id, name, adv_name })
      if (row.login_id !== login_id) continue
    }
    taken.usable.push(id)
    fresh.push({ id, name, scope_list: account.scope_list })
  }
  // One statement: an agency's login may manage thousands.
  await sql`
    update platform_account as account
    set name = fresh.name, scope_list = fresh.scope_list, login_id = ${login_id}, authorised_at = ${now()}, auth_error = null
    from jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb) as fresh (id integer, name text, scope_list jsonb)
    where account.id = fresh.id`.execute(tx)
  await forgetIdleLogins(tx)
  return taken.usable.length > 0 ? taken : { ...taken, login_id: null }
}

/** Accounts may share a name, as those of one company that have none of their own: these get their id appended. */
async function namedApart(
  tx: Transaction<Database>,
  { adv_id, platform, accounts }: Authorised,
): Promise<AuthorisedAccount[]> {
  const others = await tx
    .selectFrom('platform_account')
    .select(['external_id', 'name'])
    .where('adv_id', '=', adv_id)
    .where('platform', '=', platform)
    .execute()
  const isTaken = ({ external_id, name }: AuthorisedAccount) =>
    accounts.some((one) => one.external_id !== external_id && one.name === name) ||
    others.some((one) => one.external_id !== external_id && (one.name === name || one.name.startsWith(`${name}（`)))
  return accounts.map((account) =>
    isTaken(account) ? { ...account, name: accountFullName(account.name, account.external_id) } : account,
  )
}

async function storeLogin(tx: Transaction<Database>, { login_platform, login, tokens }: Authorised): Promise<number> {
  const fresh = { name: login.name, ...tokens, error: null, hold: null, hold_until: null, authorised_at: now() }
  const { id } = await tx
    .insertInto('platform_login')
    .values({ platform: login_platform, external_id: login.external_id, ...fresh })
    .onConflict((oc) => oc.columns(['platform', 'external_id']).doUpdateSet(fresh))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Deletes logins that serve no account, with their tokens. */
export async function forgetIdleLogins(tx: Transaction<Database>): Promise<void> {
  await tx
    .deleteFrom('platform_login')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('platform_account')
            .select('platform_account.id')
            .whereRef('platform_account.login_id', '=', 'platform_login.id'),
        ),
      ),
    )
    .execute()
}
