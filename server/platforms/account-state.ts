import { type Kysely, sql } from 'kysely'
import type { PlatformAccount } from '#contract/advertiser.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { Database } from '../postgres/schema.ts'
import { now } from '../time/clock.ts'

/** The columns that an account's state is computed from: its own, and its login's if it has one. */
export interface AccountAuthorisation {
  login_id: number | null
  authorised_at: number | null
  auth_error: AnyOutcome | null
  login_error: AnyOutcome | null
  has_tokens: boolean
  refresh_expires_at: number | null
}

/** The account's state now, and why it is no longer authorised. */
export function authorisationOf(account: AccountAuthorisation): {
  state: PlatformAccount['state']
  reason: AnyOutcome | null
} {
  if (account.login_id === null) return { state: account.authorised_at === null ? 'none' : 'revoked', reason: null }
  if (account.refresh_expires_at !== null && account.refresh_expires_at <= now()) {
    return { state: 'expired', reason: outcome('authorisation_expired') }
  }
  const reason =
    account.auth_error ?? account.login_error ?? (account.has_tokens ? null : outcome('authorisation_invalid'))
  return { state: reason === null ? 'authorised' : 'invalid', reason }
}

/** Why the platform can no longer be called for the account; null while it is authorised. */
export function closedReason(authorisation: AccountAuthorisation & { name: string }): AnyOutcome | null {
  const { state, reason } = authorisationOf(authorisation)
  if (state === 'authorised') return null
  const account = authorisation.name
  return state === 'none'
    ? outcome('account_never_authorised', { account })
    : outcome('account_closed', { account, cause: reason })
}

/** Accounts with the columns for `authorisationOf`; callers add columns and conditions of their own. */
export const accountAuthorisations = (db: Kysely<Database>) =>
  db
    .selectFrom('platform_account')
    .leftJoin('platform_login', 'platform_login.id', 'platform_account.login_id')
    .select([
      'platform_account.id',
      'platform_account.login_id',
      'platform_account.authorised_at',
      'platform_account.auth_error',
      'platform_login.error as login_error',
      'platform_login.refresh_expires_at',
      sql<boolean>`platform_login.tokens is not null`.as('has_tokens'),
    ])
