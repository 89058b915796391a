import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { PlatformCode } from '#contract/platform.ts'
import type { Secrets } from '../../config/secrets.ts'
import { PlatformFault } from '../../platforms/audience-platform.ts'
import type { OAuthClient, Tokens } from '../../platforms/oauth-client.ts'
import { audit } from '../../postgres/audit.ts'
import { isDatabaseAway } from '../../postgres/away.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'

interface Deps {
  db: Kysely<Database>
  secrets: Secrets
  oauthOf(platform: PlatformCode): OAuthClient
  /** A refresh without an answer within this time has failed; the hold lasts longer. */
  answerWithinMs?: number
  /** Names this start of the process, so that its holds can be recognised after it was killed. */
  instance?: string
}

/** Seconds. A token that ends sooner than this is refreshed before it is used. */
const MIN_SECONDS_LEFT = 60
const ANSWER_WITHIN_MS = 20_000
/** How long a hold lasts: the call, and time to store its answer. */
const HOLD_SECONDS = ANSWER_WITHIN_MS / 1000 + 20
const CHECK_AGAIN_MS = 100
const STORE_TRIES = 5

const DB_NOW = sql`floor(extract(epoch from clock_timestamp()))::bigint`
/** Uses only the database's clock. A hold with more than HOLD_SECONDS left was taken before that clock was set back. */
const IS_HELD = sql<boolean>`(hold is not null and coalesce(hold_until, 0) > ${DB_NOW}
  and coalesce(hold_until, 0) <= ${DB_NOW} + ${HOLD_SECONDS})`

export const sealTokens = (secrets: Secrets, tokens: Tokens) => ({
  tokens: secrets.seal(JSON.stringify(tokens)),
  expires_at: tokens.expires_at,
  refresh_expires_at: tokens.refresh_expires_at,
})

/**
 * Keeps the one pair of tokens of each login. A refresh may invalidate the old pair, so only one process at a time does
 * it, under a hold that lasts longer than the call, and the new pair is stored before it is used.
 */
export function loginTokens({
  db,
  secrets,
  oauthOf,
  answerWithinMs = ANSWER_WITHIN_MS,
  instance = randomUUID(),
}: Deps) {
  const opened = (sealed: string) => JSON.parse(secrets.open(sealed)) as Tokens

  const read = (id: number) =>
    db.selectFrom('platform_login').selectAll().select(IS_HELD.as('is_held')).where('id', '=', id).executeTakeFirst()
  type Login = NonNullable<Awaited<ReturnType<typeof read>>>
  type UsableLogin = Login & { tokens: string }

  async function usable(id: number): Promise<UsableLogin> {
    const login = await read(id)
    if (!login) throw new PlatformFault('unauthorised', outcome('authorisation_revoked'))
    const { tokens } = login
    if (login.error !== null || tokens === null) {
      throw new PlatformFault('unauthorised', login.error ?? outcome('authorisation_invalid'))
    }
    return { ...login, tokens }
  }

  return {
    /** A valid access token, refreshed first if necessary. */
    async token(id: number): Promise<string> {
      for (;;) {
        const login = await usable(id)
        if (!login.is_held) {
          const secondsLeft = (login.expires_at ?? 0) - now()
          if (secondsLeft > MIN_SECONDS_LEFT) return opened(login.tokens).access_token
          try {
            await refresh(login)
          } catch (error) {
            // The token is still valid, and may last until the platform works again.
            if (error instanceof PlatformFault && error.kind !== 'unauthorised' && secondsLeft > 0) {
              return opened(login.tokens).access_token
            }
            throw error
          }
        } else await pause(CHECK_AGAIN_MS)
      }
    },

    /** The platform says that this token has expired: the next call of `token` refreshes it. */
    async expired(id: number, token: string): Promise<void> {
      const login = await read(id)
      if (!login?.tokens || opened(login.tokens).access_token !== token) return
      await db
        .updateTable('platform_login')
        .set({ expires_at: 0 })
        .where('id', '=', id)
        .where('tokens', '=', login.tokens)
        .execute()
    },

    /** The platform no longer accepts this token: every account of the login shows why, until it is authorised again. */
    async refused(id: number, token: string, reason: AnyOutcome): Promise<void> {
      const login = await read(id)
      if (!login?.tokens || opened(login.tokens).access_token !== token) return
      await lose({ ...login, tokens: login.tokens }, reason, { tokens: login.tokens })
    },

    /** Refreshes in advance; does nothing when another process is refreshing or there is nothing to refresh. */
    async refreshNow(id: number): Promise<void> {
      const login = await read(id)
      if (!login?.tokens || login.error !== null || login.is_held) return
      await refresh({ ...login, tokens: login.tokens })
    },
  }

  /** Refreshes the tokens; returns without doing anything when they have changed or another process holds them. */
  async function refresh(login: UsableLogin): Promise<void> {
    const hold = randomUUID()
    const taken = await db
      .updateTable('platform_login')
      .set({ hold, hold_until: sql<number>`${DB_NOW} + ${HOLD_SECONDS}`, hold_instance: instance })
      .where('id', '=', login.id)
      .where('tokens', '=', login.tokens)
      .where((eb) => eb.not(IS_HELD))
      .executeTakeFirst()
    if (!taken.numUpdatedRows) return
    let fresh: Tokens
    try {
      if ((login.refresh_expires_at ?? 0) <= now())
        throw new PlatformFault('unauthorised', outcome('authorisation_expired'))
      fresh = await oauthOf(login.platform as PlatformCode).refresh(
        opened(login.tokens),
        AbortSignal.timeout(answerWithinMs),
      )
    } catch (error) {
      const fault = faultOf(error)
      await refused(login, hold, fault)
      throw fault
    }
    await keep(login, fresh)
  }

  /**
   * The old pair is invalid by now, so storing the new one is retried a few times, and for as long as the database is
   * away, since no other process can take the hold then.
   */
  async function keep(login: UsableLogin, fresh: Tokens): Promise<void> {
    for (let tried = 1; ; tried++) {
      try {
        return await transaction(db, async (tx) => {
          await tx
            .updateTable('platform_login')
            .set({ ...sealTokens(secrets, fresh), error: null, hold: null, hold_until: null })
            .where('id', '=', login.id)
            // If a viewer authorised the login again meanwhile, it has a newer pair.
            .where('authorised_at', '=', login.authorised_at)
            .execute()
          await audit(tx, null, 'authorisation.refresh', { login_id: login.id, platform: login.platform })
        })
      } catch (error) {
        if (tried >= STORE_TRIES && !isDatabaseAway(error)) throw error
        await pause(Math.min(tried, STORE_TRIES) * 500)
      }
    }
  }

  async function refused(login: UsableLogin, hold: string, fault: PlatformFault): Promise<void> {
    if (fault.kind !== 'unauthorised') {
      // If the platform may have done the refresh, the old pair may be invalid: the hold ends but stays on record.
      await db
        .updateTable('platform_login')
        .set(fault.isUncertain ? { hold_until: 0 } : { hold: null, hold_until: null })
        .where('id', '=', login.id)
        .where('hold', '=', hold)
        .execute()
      return
    }
    const error = outcome('login_lost', { refresh_was_cut: login.hold !== null, cause: fault.outcome })
    await lose(login, error, { hold })
  }

  /** Stores why the login's tokens are of no use, if it still has the tokens, or the hold, that were found so. */
  async function lose(
    login: UsableLogin,
    error: AnyOutcome,
    still: { hold: string } | { tokens: string },
  ): Promise<void> {
    await transaction(db, async (tx) => {
      const done = await tx
        .updateTable('platform_login')
        .set({ tokens: null, error, hold: null, hold_until: null })
        .where('id', '=', login.id)
        .where((eb) => eb.and(still))
        .executeTakeFirst()
      if (!done.numUpdatedRows) return
      const reason = sentenceOf(error)
      await audit(tx, null, 'authorisation.lost', {
        login_id: login.id,
        platform: login.platform,
        reason,
        outcome: error,
      })
    })
  }
}
/** After a timeout the platform may still have done the refresh. */
const faultOf = (error: unknown): PlatformFault =>
  error instanceof PlatformFault
    ? error
    : new PlatformFault('later', outcome('platform_did_not_answer'), { isUncertain: true })

export type LoginTokens = ReturnType<typeof loginTokens>
