import type { Kysely, Transaction } from 'kysely'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Jobs } from '../../jobs/open.ts'
import { type AccountSession, PlatformFault } from '../../platforms/audience-platform.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import type { LoginTokens } from './login-tokens.ts'
import { forgetIdleLogins } from './take-accounts.ts'

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  tokens: LoginTokens
  timezone: string
}

export interface RevokedAccount {
  id: number
  external_id: string
  name: string
}

const CHECK_DUE = 'authorisation.look'
const REFRESH = 'authorisation.refresh'
/** Seconds. The job, which runs every ten minutes, refreshes tokens that end within this time. */
const AHEAD = 2 * 3600

/** Platform accounts for pushes: gives valid tokens, refreshes them before they end, and revokes accounts. */
export function accountService({ db, jobs, tokens, timezone }: Deps) {
  const authorisedHandlers: ((tx: Transaction<Database>, account_id: number) => Promise<void>)[] = []

  jobs.handle(CHECK_DUE, { concurrency: 1, retries: 0 }, async ({ finish }) => {
    const due = await db
      .selectFrom('platform_login')
      .select('id')
      .where('tokens', 'is not', null)
      .where('expires_at', '<', now() + AHEAD)
      .execute()
    await finish(async (tx) => {
      for (const { id } of due) await jobs.send(tx, REFRESH, { login_id: id }, { singletonKey: `login-${id}` })
      await forgetIdleLogins(tx)
    })
  })
  jobs.handle<{ login_id: number }>(REFRESH, { concurrency: 4, retries: 0 }, async ({ data }) => {
    try {
      await tokens.refreshNow(data.login_id)
    } catch (error) {
      // A lost authorisation is stored, and viewers see it there; other faults are retried by the next run.
      if (!(error instanceof PlatformFault)) throw error
      if (error.kind !== 'unauthorised') console.warn(`登录 ${data.login_id} 的令牌这次没有刷新成功：${error.message}`)
    }
  })
  jobs.schedule(CHECK_DUE, '*/10 * * * *', timezone)

  const read = async (account_id: number) => {
    const row = await db
      .selectFrom('platform_account')
      .select(['login_id', 'name', 'auth_error'])
      .where('id', '=', account_id)
      .executeTakeFirst()
    if (!row || row.login_id === null) {
      const why = row ? outcome('account_without_login', { account: row.name }) : outcome('account_gone')
      throw new PlatformFault('unauthorised', why)
    }
    if (row.auth_error !== null) throw new PlatformFault('unauthorised', row.auth_error)
    return row.login_id
  }

  /** Stores that the platform refuses the account; screens show it until it is authorised again. */
  async function refused(tx: Transaction<Database>, account_id: number, reason: AnyOutcome): Promise<void> {
    const done = await tx
      .updateTable('platform_account')
      .set({ auth_error: reason })
      .where('id', '=', account_id)
      .where('login_id', 'is not', null)
      .where('auth_error', 'is', null)
      .executeTakeFirst()
    if (done.numUpdatedRows)
      await audit(tx, null, 'authorisation.account_refused', {
        account_id,
        reason: sentenceOf(reason),
        outcome: reason,
      })
  }

  return {
    /** For calls in the account's name. The token must be asked for again at each call. */
    async session(account_id: number): Promise<AccountSession> {
      const { external_id } = await db
        .selectFrom('platform_account')
        .select('external_id')
        .where('id', '=', account_id)
        .executeTakeFirstOrThrow()
      return {
        account_id,
        external_id,
        token: async () => tokens.token(await read(account_id)),
        tokenExpired: async (token) => tokens.expired(await read(account_id), token),
        refused: async (reason, token) =>
          token === null
            ? transaction(db, (tx) => refused(tx, account_id, reason))
            : tokens.refused(await read(account_id), token, reason),
      }
    },

    /** `resume` runs in the authorising transaction for each account that can be used again. */
    onAuthorised(resume: (tx: Transaction<Database>, account_id: number) => Promise<void>): void {
      authorisedHandlers.push(resume)
    },
    async authorised(tx: Transaction<Database>, account_id: number): Promise<void> {
      for (const resume of authorisedHandlers) await resume(tx, account_id)
    },

    /**
     * Revokes the account and those that share its tokens, in all advertisers that the viewer may change. Accounts of
     * others keep the login: one advertiser cannot stop another's pushes.
     */
    async revoke(viewer: Viewer, account_id: number): Promise<{ revoked: RevokedAccount[] }> {
      return transaction(db, async (tx) => {
        const account = await tx
          .selectFrom('platform_account')
          .select(['id', 'adv_id', 'platform', 'external_id', 'login_id'])
          .where('id', '=', account_id)
          .executeTakeFirst()
        if (!account || !viewer.isMember(account.adv_id)) throw new AppError('notFound', { what: '平台账户' })
        const { adv_id, platform, external_id, login_id } = account
        if (login_id === null) return { revoked: [] }
        // Locked, so that of two concurrent revocations the second one sees that the login serves no account any more.
        await tx.selectFrom('platform_login').select('id').where('id', '=', login_id).forUpdate().execute()
        const revoked = await tx
          .updateTable('platform_account')
          .set({ login_id: null, auth_error: null, scope_list: '[]' })
          .where('login_id', '=', login_id)
          .where('adv_id', 'in', viewer.adv_ids)
          .returning(['id', 'external_id', 'name'])
          .execute()
        if (revoked.length === 0) return { revoked }
        await forgetIdleLogins(tx)
        const accounts = revoked.map((one) => one.external_id)
        await audit(tx, viewer, 'authorisation.revoke', { adv_id, platform, account_id, external_id, accounts })
        return { revoked: revoked.toSorted((one, other) => one.id - other.id) }
      })
    },
  }
}
export type AccountService = ReturnType<typeof accountService>
