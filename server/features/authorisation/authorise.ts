import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import {
  type AuthorisationOutcome,
  CALLBACK_PATH,
  type CallbackRefusal,
  OUTCOME_PARAM,
  REFUSAL_PARAM,
  STATE_SECONDS,
} from '#contract/authorisation.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { type PlatformCode, platformInfo, platformOfCode } from '#contract/platform.ts'
import { fingerprint, type Secrets } from '../../config/secrets.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { PlatformFault } from '../../platforms/audience-platform.ts'
import type { AuthorisedAccount } from '../../platforms/oauth-client.ts'
import { audit } from '../../postgres/audit.ts'
import { isDatabaseAway } from '../../postgres/away.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import type { Connections } from './connections.ts'
import { sealTokens } from './login-tokens.ts'
import { takeAccounts } from './take-accounts.ts'

interface Deps {
  db: Kysely<Database>
  secrets: Secrets
  connections: Connections
  /** The platform whose logins this one uses. */
  loginPlatformOf(platform: PlatformCode): Promise<PlatformCode>
  /** The address at which the viewer's browser reaches a platform's page. */
  pageFor(url: string, origin: string): Promise<string>
  /** Runs in the transaction in which an account becomes usable again. */
  onAuthorised(tx: Transaction<Database>, account_id: number): Promise<void>
}

export interface CallbackAnswer {
  platform: PlatformCode
  state: string | undefined
  code: string | undefined
}

const OUTCOME_KEPT = 86_400
const ANSWER_WITHIN_MS = 30_000
const TRIES = 3
const HOME = '/basic-manage/index/advertiser-data'

/** Sends the viewer to a platform's OAuth page, takes the answer and stores its outcome. */
export function authoriseService({ db, secrets, connections, loginPlatformOf, pageFor, onAuthorised }: Deps) {
  type State = { id: number; adv_id: number; redirect_uri: string; back: string }

  return {
    async start(viewer: Viewer, asked: { adv_id: number; platform: PlatformCode; back: string; origin: string }) {
      // The platform sends back a browser, which needs a session; API tokens and embedded frames have none.
      if (viewer.session_id === null || viewer.framed) throw new AppError('tokenCannot')
      viewer.mustBeMember(asked.adv_id)
      const { adv_id, platform, back, origin } = asked
      if (!isOwnPath(back)) throw new AppError('badInput', { reason: outcome('oauth_return_elsewhere') })
      const client = connections.mustBeOpen(platform)
      const redirect_uri = `${origin}${CALLBACK_PATH}/${platformOfCode(platform)}`
      const state = randomBytes(24).toString('base64url')
      await transaction(db, async (tx) => {
        await tx
          .deleteFrom('oauth_state')
          .where('expires_at', '<', now() - OUTCOME_KEPT)
          .execute()
        await tx
          .insertInto('oauth_state')
          .values({
            state_hash: fingerprint(state),
            viewer_id: viewer.id,
            adv_id,
            platform,
            back,
            redirect_uri,
            created_at: now(),
            expires_at: now() + STATE_SECONDS,
          })
          .execute()
        await audit(tx, viewer, 'authorisation.start', { adv_id, platform })
      })
      return { url: await pageFor(await client.authoriseUrl({ state, redirect_uri }), origin) }
    },

    /** Takes the platform's answer, once; returns the page to open next. */
    async answered(viewer: Viewer | null, given: CallbackAnswer): Promise<string> {
      if (!viewer) return `/login?from=${encodeURIComponent(refusal(HOME, 'signedOut'))}`
      const taken = await takeState(viewer, given)
      if (typeof taken === 'string') return refusal(HOME, taken)
      const outcome = await exchange(viewer, taken, given)
      await db
        .updateTable('oauth_state')
        .set({ result: JSON.stringify(outcome) })
        .where('id', '=', taken.id)
        .execute()
      return withParam(taken.back, OUTCOME_PARAM, String(taken.id))
    },

    async outcome(viewer: Viewer, id: number): Promise<AuthorisationOutcome> {
      const row = await db
        .selectFrom('oauth_state')
        .select(['result', 'adv_id'])
        .where('id', '=', id)
        .where('viewer_id', '=', viewer.id)
        .executeTakeFirst()
      if (!row?.result || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '授权结果' })
      return row.result
    },
  }

  /** Finds the viewer's state and marks it used; of two concurrent answers only one gets it. */
  async function takeState(viewer: Viewer, { platform, state }: CallbackAnswer): Promise<State | CallbackRefusal> {
    const state_hash = fingerprint(state ?? '')
    const row = await db
      .updateTable('oauth_state')
      .set({ used_at: now() })
      .where('state_hash', '=', state_hash)
      .where('viewer_id', '=', viewer.id)
      .where('platform', '=', platform)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now())
      .returning(['id', 'adv_id', 'redirect_uri', 'back'])
      .executeTakeFirst()
    if (row) return row
    const known = await db
      .selectFrom('oauth_state')
      .select('used_at')
      .where('state_hash', '=', state_hash)
      .where('viewer_id', '=', viewer.id)
      .where('platform', '=', platform)
      .executeTakeFirst()
    if (!known) return 'unknown'
    return known.used_at === null ? 'expired' : 'used'
  }

  async function exchange(
    viewer: Viewer,
    state: State,
    { platform, code }: CallbackAnswer,
  ): Promise<AuthorisationOutcome> {
    const { adv_id } = state
    const nothing = { platform, adv_id, accounts: [], lost: [], elsewhere: [] }
    const refuse = async (error_outcome: AnyOutcome): Promise<AuthorisationOutcome> => {
      const error = sentenceOf(error_outcome)
      await audit(db, viewer, 'authorisation.refused', { adv_id, platform, error, outcome: error_outcome })
      return { ...nothing, error, error_outcome }
    }
    const name = platformInfo(platform).name
    // The membership may have ended, or become one that may only look, since the authorisation began.
    if (!viewer.isMember(adv_id) || viewer.read_only_adv_ids.includes(adv_id)) {
      return refuse(outcome('oauth_not_member'))
    }
    if (!code) return refuse(outcome('oauth_cancelled', { platform: name }))
    try {
      const client = connections.mustBeOpen(platform)
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
      const tokens = await client.exchange(code, state.redirect_uri, signal)
      const login = await withRetries(() => client.login(tokens, signal))
      const accounts: AuthorisedAccount[] = await withRetries(() => client.accounts(tokens, signal))
      if (accounts.length === 0) return refuse(outcome('oauth_without_accounts', { platform: name }))
      const login_platform = await loginPlatformOf(platform)
      return await transaction(db, async (tx) => {
        const given = {
          adv_id,
          platform,
          login_platform,
          login,
          accounts,
          tokens: sealTokens(secrets, tokens),
          adv_ids: viewer.adv_ids,
        }
        const { usable, login_id, ...taken } = await takeAccounts(tx, given)
        for (const id of usable) await onAuthorised(tx, id)
        await audit(tx, viewer, 'authorisation.done', {
          adv_id,
          platform,
          login_id,
          login: login.external_id,
          ...taken,
        })
        return { platform, adv_id, error: null, error_outcome: null, ...taken }
      })
    } catch (error) {
      if (error instanceof AppError) return refuse(error.outcome)
      if (error instanceof PlatformFault) return refuse(refusalOf(error, name))
      if (error instanceof DOMException && error.name === 'TimeoutError')
        return refuse(outcome('oauth_timed_out', { platform: name }))
      if (isDatabaseAway(error)) return refuse(outcome('oauth_database_away'))
      console.error('授权没有完成', error)
      return refuse(outcome('oauth_unexpected'))
    }
  }
}
export type AuthoriseService = ReturnType<typeof authoriseService>

/** Retries reads after the exchange: the code is used up by then, so a failure would make the viewer authorise again. */
async function withRetries<T>(ask: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof PlatformFault) || error.kind !== 'later' || tried === TRIES) throw error
      await pause(tried * 300)
    }
  }
}

function refusalOf({ kind, outcome: cause }: PlatformFault, platform: string): AnyOutcome {
  if (kind === 'unauthorised') return outcome('oauth_code_used', { cause })
  if (kind === 'later' || kind === 'notYet') return outcome('oauth_no_answer', { platform, cause })
  if (kind === 'configuration') return outcome('oauth_misconfigured', { platform, cause })
  return outcome('oauth_refused', { platform, cause })
}

const isOwnPath = (path: string) =>
  /^\/(?![/\\])/.test(path) && URL.canParse(path, 'http://own') && new URL(path, 'http://own').host === 'own'

function withParam(path: string, name: string, value: string): string {
  const url = new URL(path, 'http://own')
  url.searchParams.set(name, value)
  return `${url.pathname}${url.search}${url.hash}`
}

const refusal = (back: string, why: CallbackRefusal) => withParam(back, REFUSAL_PARAM, why)
