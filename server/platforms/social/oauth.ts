import { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import { PlatformFault } from '../audience-platform.ts'
import type { WireOptions } from '../call.ts'
import { send } from '../http.ts'
import { WireCount, WireId } from '../lossless-json.ts'
import type { AuthorisedAccount, OAuthClient, Tokens } from '../oauth-client.ts'
import type { SocialWire } from './wire.ts'
import { interpret } from './wire.ts'

/** The vendor's API and its page live on different hosts; any other host serves both. */
const API_HOST = 'api.e.qq.com'
const PAGE_ORIGIN = 'https://developers.e.qq.com'
const PAGE_SIZE = 100
/** At most this many accounts of an agency are read. */
const PAGES_MOST = 100
/** The console's `scope_list` if the platform's is empty: every scope of the application. */
const ALL = ['all']
/** Roles of logins with a single account; all other logins have accounts below them. */
const SINGLE = new Set([null, 'ACCOUNT_ROLE_TYPE_ADVERTISER', 'ACCOUNT_ROLE_TYPE_UNSUPPORTED'])
/** Refusal of a private application's token in about the first ten minutes. */
const NOT_YET_KNOWN = 11002
const ORGANISATION = /ORGANIZATION|BUSINESS_MANAGER/

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  access_token_expires_in: WireCount,
  refresh_token_expires_in: WireCount.optional(),
  authorizer_info: z
    .object({
      account_id: WireId.nullish(),
      scope_list: z.array(z.string()).nullish(),
      account_role_type: z.string().nullish(),
    })
    .nullish(),
})
type TokenAnswer = z.infer<typeof TokenAnswer>

/**
 * The field that has an account's own name. The platform lists it without saying what it holds: that people name their
 * accounts by it is unconfirmed, and null leaves accounts with the names of their companies.
 */
const OWN_NAME: 'memo' | null = 'memo'

const AccountRow = z.object({
  account_id: WireId,
  corporation_name: z.string().nullish(),
  memo: z.string().nullish(),
})
type AccountRow = z.infer<typeof AccountRow>
const AccountPage = z.object({
  list: z.array(AccountRow).default([]),
  page_info: z.object({ total_page: WireCount }).optional(),
})

/** An account's own name with its company's; its number where it has neither. */
function nameOf({ account_id, corporation_name, ...row }: AccountRow): string {
  const [own, company] = [(OWN_NAME && row[OWN_NAME])?.trim(), corporation_name?.trim()]
  if (!own || own === company) return company || account_id
  return company ? `${own}（${company}）` : own
}

/** The consent page and token calls of 腾讯广告. One authorisation covers one account and those below it. */
export function socialOAuth({ endpoint, nowMs, timeoutMs }: WireOptions, wire: SocialWire): OAuthClient {
  async function tokenCall(query: Record<string, string>, signal?: AbortSignal): Promise<TokenAnswer> {
    const { url: base, appId, secret } = await endpoint()
    const url = new URL(`${base}/oauth/token`)
    url.search = new URLSearchParams({ client_id: appId, client_secret: secret, ...query }).toString()
    const answer = await send({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      timeoutMs,
      signal,
      secret,
    })
    const verdict = interpret(answer, nowMs())
    if ('fault' in verdict) throw verdict.fault
    const read = TokenAnswer.safeParse(verdict.data)
    if (!read.success) throw new PlatformFault('later', outcome('platform_answer_without_token'), { isUncertain: true })
    return read.data
  }

  const now = () => Math.floor(nowMs() / 1000)
  /** A session with exactly these tokens, without renewal. */
  const by = ({ access_token, authorizer_id }: Tokens) => ({
    external_id: authorizer_id ?? 'login',
    token: async () => access_token,
    tokenExpired: async () => {
      throw new PlatformFault('unauthorised', outcome('authorisation_token_expired'))
    },
  })

  async function pages(
    tokens: Tokens,
    path: 'advertiser/get' | 'organization_account_relation/get',
    more: Record<string, unknown>,
    signal?: AbortSignal,
  ) {
    const found: AccountRow[] = []
    for (let page = 1; page <= PAGES_MOST; page++) {
      const query = { ...more, pagination_mode: 'PAGINATION_MODE_NORMAL', page, page_size: PAGE_SIZE }
      const { list, page_info } = await wire.get(AccountPage, { account: by(tokens), on: { signal }, path, query })
      found.push(...list)
      if (list.length === 0 || page >= (page_info?.total_page ?? 1)) break
    }
    return found
  }

  const FIELDS = ['account_id', 'corporation_name', 'system_status', ...(OWN_NAME ? [OWN_NAME] : [])]
  const own = async (tokens: Tokens, signal?: AbortSignal) => {
    const account_id = tokens.authorizer_id
    if (account_id === null) throw new PlatformFault('unauthorised', outcome('oauth_without_account'))
    const rows = await pages(tokens, 'advertiser/get', { account_id, fields: FIELDS }, signal).catch((error) => {
      // The authorisation is valid nevertheless; it is shown by its number until the name can be read.
      if (error instanceof PlatformFault && error.code === NOT_YET_KNOWN) return []
      throw error
    })
    return {
      external_id: account_id,
      name: nameOf(rows.find((row) => row.account_id === account_id) ?? { account_id }),
    }
  }

  return {
    async authoriseUrl({ state, redirect_uri }) {
      const { url: base, appId } = await endpoint()
      const page = new URL(`${new URL(base).host === API_HOST ? PAGE_ORIGIN : base}/oauth/authorize`)
      page.search = new URLSearchParams({ client_id: appId, redirect_uri, state }).toString()
      return page.toString()
    },

    async exchange(code, redirect_uri, signal) {
      const given = await tokenCall(
        { grant_type: 'authorization_code', authorization_code: code, redirect_uri },
        signal,
      )
      if (!given.refresh_token)
        throw new PlatformFault('later', outcome('platform_answer_without_token'), { isUncertain: true })
      const scopes = given.authorizer_info?.scope_list ?? []
      return {
        access_token: given.access_token,
        refresh_token: given.refresh_token,
        expires_at: now() + given.access_token_expires_in,
        refresh_expires_at: now() + (given.refresh_token_expires_in ?? given.access_token_expires_in),
        scope_list: scopes.length ? scopes : ALL,
        authorizer_id: given.authorizer_info?.account_id ?? null,
        authorizer_role: given.authorizer_info?.account_role_type ?? null,
      }
    },

    async refresh(tokens, signal) {
      const { refresh_token } = tokens
      const given = await tokenCall({ grant_type: 'refresh_token', refresh_token }, signal)
      return {
        ...tokens,
        access_token: given.access_token,
        // This grant extends the refresh token without returning it again.
        refresh_token: given.refresh_token ?? refresh_token,
        expires_at: now() + given.access_token_expires_in,
        refresh_expires_at:
          given.refresh_token_expires_in === undefined
            ? tokens.refresh_expires_at
            : now() + given.refresh_token_expires_in,
      }
    },

    login: own,

    async accounts(tokens, signal): Promise<AuthorisedAccount[]> {
      const scope_list = tokens.scope_list?.length ? tokens.scope_list : ALL
      const role = tokens.authorizer_role
      if (SINGLE.has(role)) {
        return [{ ...(await own(tokens, signal)), scope_list }]
      }
      const rows =
        role && ORGANISATION.test(role)
          ? await pages(tokens, 'organization_account_relation/get', {}, signal)
          : await pages(tokens, 'advertiser/get', { fields: FIELDS }, signal)
      const named = new Map(rows.map((row) => [row.account_id, nameOf(row)]))
      return [...named].map(([external_id, name]) => ({ external_id, name, scope_list }))
    },
  }
}
