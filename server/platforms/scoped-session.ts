import type { Kysely } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { Database } from '../postgres/schema.ts'
import { type AccountSession, PlatformFault } from './audience-platform.ts'
import { missingScope } from './missing-scope.ts'

type Session = (account_id: number) => Promise<AccountSession>

/** The session of an account with scopes; those of its platform's tab where none are named. Throws PlatformFault. */
export type ScopedSession = (account_id: number, scopes?: readonly string[]) => Promise<AccountSession>

/**
 * The session of an account that was granted what is asked of it. Others are not asked about: the platform's refusal
 * would make the whole account count as no longer authorised.
 */
export const scopedSession =
  ({ db, session }: { db: Kysely<Database>; session: Session }): ScopedSession =>
  async (account_id, needed) => {
    const { login_id, ...account } = await db
      .selectFrom('platform_account')
      .select(['name', 'platform', 'scope_list', 'login_id'])
      .where('id', '=', account_id)
      .executeTakeFirstOrThrow()
    // Known before a call is prepared: an account that was never authorised has no number of the platform's either.
    if (login_id === null)
      throw new PlatformFault('unauthorised', outcome('account_without_login', { account: account.name }))
    const missing = missingScope(account, needed)
    if (missing) throw new PlatformFault('unauthorised', missing)
    return session(account_id)
  }
