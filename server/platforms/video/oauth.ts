import { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import { PlatformFault } from '../audience-platform.ts'
import type { WireOptions } from '../call.ts'
import { readData } from '../call.ts'
import { send } from '../http.ts'
import { idNumber, WireCount, WireId } from '../lossless-json.ts'
import type { AuthorisedAccount, OAuthClient, Tokens } from '../oauth-client.ts'
import type { VideoWire } from './wire.ts'
import { interpret } from './wire.ts'

/** The vendor's API and its pages live on different hosts; any other host serves all of them. */
const API_HOST = 'api.oceanengine.com'
const PAGES = {
  video: { origin: 'https://open.oceanengine.com', path: '/audit/oauth.html', source: 'AD' },
  commerce: { origin: 'https://qianchuan.jinritemai.com', path: '/openapi/qc/audit/oauth.html', source: 'QIANCHUAN' },
} as const
/** Requests the capability that a developer of another legal entity needs. */
const MATERIAL_AUTH = '1'
/** Numbers of the scopes to read and change audiences; a parent's number includes its children's. */
const SCOPE_AUDIENCES = 3
const SCOPES_AUDIENCE = [30, 31]
/** Agencies, by the product that their accounts are of. */
const AGENCIES: Record<keyof typeof PAGES, readonly string[]> = {
  video: ['AGENT', 'CHILD_AGENT'],
  commerce: ['PLATFORM_ROLE_QIANCHUAN_AGENT'],
}
const PAGE_SIZE = 100
/** At most this many pages of an agency's or organisation's accounts are read. */
const PAGES_MOST = 100

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: WireCount,
  refresh_token: z.string().min(1),
  refresh_token_expires_in: WireCount,
})

const LoginAnswer = z.object({
  id: WireId,
  display_name: z.string().nullish(),
  token_scope_list: z.array(WireCount).nullish(),
})

const GrantList = z.object({
  list: z
    .array(
      z.object({
        account_id: WireId.nullish(),
        advertiser_id: WireId.nullish(),
        account_name: z.string().nullish(),
        advertiser_name: z.string().nullish(),
        account_type: z.string().nullish(),
        account_role: z.string().nullish(),
        is_valid: z.boolean().nullish(),
      }),
    )
    .default([]),
})
type Grant = { id: string; name: string; role: string }

const PageInfo = z.object({ total_page: WireCount }).nullish()
const BusinessCenterAccounts = z.object({
  list: z
    .array(
      z.object({
        account_id: WireId.nullish(),
        advertiser_id: WireId.nullish(),
        account_name: z.string().nullish(),
        advertiser_name: z.string().nullish(),
      }),
    )
    .default([]),
  page_info: PageInfo,
})
const IdRows = z.object({ list: z.array(WireId).default([]), page_info: PageInfo })
const Infos = z.array(z.object({ id: WireId, name: z.string().nullish() }))

type Named = { external_id: string; name: string }

/** Both products of the vendor have the same authorisation, with different pages and accounts. */
export function videoOAuth(
  { endpoint, nowMs, timeoutMs }: WireOptions,
  wire: VideoWire,
  product: keyof typeof PAGES,
): OAuthClient {
  const { origin, path, source } = PAGES[product]
  const now = () => Math.floor(nowMs() / 1000)

  async function tokenCall(
    kind: 'access_token' | 'refresh_token',
    body: Record<string, unknown>,
    signal?: AbortSignal,
  ) {
    const { url: base, appId, secret } = await endpoint()
    const answer = await send({
      method: 'POST',
      url: new URL(`${base}/open_api/oauth2/${kind}/`),
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ app_id: appNumber(appId), secret, ...body }),
      timeoutMs,
      signal,
      secret,
    })
    const verdict = interpret(answer, nowMs())
    if ('fault' in verdict) throw verdict.fault
    const given = readData(TokenAnswer, verdict.data)
    return {
      access_token: given.access_token,
      refresh_token: given.refresh_token,
      expires_at: now() + given.expires_in,
      refresh_expires_at: now() + given.refresh_token_expires_in,
    }
  }

  const callsOf = (tokens: Tokens, signal?: AbortSignal) => ({
    // A session with exactly these tokens, without renewal.
    account: {
      external_id: tokens.authorizer_id ?? 'login',
      token: async () => tokens.access_token,
      tokenExpired: async () => {
        throw new PlatformFault('unauthorised', outcome('authorisation_token_expired'))
      },
    },
    on: { signal },
  })
  type Calls = ReturnType<typeof callsOf>

  const loginOf = (calls: Calls) => wire.get(LoginAnswer, { ...calls, path: '2/user/info/' })

  async function grantsOf(calls: Calls, access_token: string): Promise<Grant[]> {
    const { list } = await wire.get(GrantList, {
      ...calls,
      path: 'oauth2/advertiser/get/',
      query: { access_token },
      hidden: ['access_token'],
    })
    return list.flatMap((row) => {
      const id = row.account_id ?? row.advertiser_id
      // Invalid accounts are no longer managed by the login.
      if (!id || row.is_valid === false) return []
      const role = row.account_type ?? row.account_role ?? 'ADVERTISER'
      return [{ id, name: row.account_name ?? row.advertiser_name ?? id, role: String(role) }]
    })
  }

  async function paged<Row>(
    read: (page: number) => Promise<{ list: Row[]; page_info?: { total_page: number } | null | undefined }>,
  ) {
    const found: Row[] = []
    for (let page = 1; page <= PAGES_MOST; page++) {
      const { list, page_info } = await read(page)
      found.push(...list)
      if (list.length === 0 || page >= (page_info?.total_page ?? 1)) break
    }
    return found
  }

  async function named(calls: Calls, ids: string[]): Promise<Named[]> {
    const all: Named[] = []
    for (let at = 0; at < ids.length; at += PAGE_SIZE) {
      const some = ids.slice(at, at + PAGE_SIZE)
      const query = { advertiser_ids: some.map(idNumber), fields: ['id', 'name'] }
      const rows = await wire.get(Infos, { ...calls, path: '2/advertiser/info/', query })
      const names = new Map(rows.map((row) => [row.id, row.name]))
      all.push(...some.map((id) => ({ external_id: id, name: names.get(id) || id })))
    }
    return all
  }

  /** This product's accounts that a granted one covers: itself, or those below an organisation, an agency or a shop. */
  async function expand(calls: Calls, { id, name, role }: Grant): Promise<Named[]> {
    if (role === 'ADVERTISER') return product === 'video' ? [{ external_id: id, name }] : []
    const page_size = PAGE_SIZE
    if (role === 'CUSTOMER_ADMIN' || role === 'CUSTOMER_OPERATOR') {
      const rows = await paged((page) => {
        const query = { cc_account_id: id, account_source: source, page, page_size }
        return wire.get(BusinessCenterAccounts, { ...calls, path: '2/customer_center/advertiser/list/', query })
      })
      return rows.flatMap((row) => {
        const external_id = row.account_id ?? row.advertiser_id
        return external_id ? [{ external_id, name: row.account_name ?? row.advertiser_name ?? external_id }] : []
      })
    }
    if (AGENCIES[product].includes(role)) {
      const ids = await paged((page) =>
        wire.get(IdRows, {
          ...calls,
          path: '2/agent/advertiser/select/',
          query: { advertiser_id: id, page, page_size },
        }),
      )
      return named(calls, ids)
    }
    if (product === 'commerce' && role === 'PLATFORM_ROLE_SHOP_ACCOUNT') {
      const ids = await paged((page) =>
        wire.get(IdRows, {
          ...calls,
          path: 'v1.0/qianchuan/shop/advertiser/list/',
          query: { shop_id: id, page, page_size },
        }),
      )
      return named(calls, ids)
    }
    return []
  }

  return {
    async authoriseUrl({ state, redirect_uri }) {
      const { url: base, appId } = await endpoint()
      const page = new URL((new URL(base).host === API_HOST ? origin : base) + path)
      page.search = new URLSearchParams({ app_id: appId, state, redirect_uri, material_auth: MATERIAL_AUTH }).toString()
      return page.toString()
    },

    async exchange(code, _redirect_uri, signal) {
      const tokens = await tokenCall('access_token', { auth_code: code }, signal)
      return { ...tokens, scope_list: null, authorizer_id: null, authorizer_role: null }
    },

    async refresh(tokens, signal) {
      return { ...tokens, ...(await tokenCall('refresh_token', { refresh_token: tokens.refresh_token }, signal)) }
    },

    async login(tokens, signal) {
      const { id, display_name } = await loginOf(callsOf(tokens, signal))
      return { external_id: id, name: display_name || id }
    },

    async accounts(tokens, signal): Promise<AuthorisedAccount[]> {
      const calls = callsOf(tokens, signal)
      // The console needs only the audience scopes.
      const scope_list =
        product === 'commerce' || coversAudiences((await loginOf(calls)).token_scope_list ?? []) ? ['all'] : []
      const found = new Map<string, AuthorisedAccount>()
      for (const grant of await grantsOf(calls, tokens.access_token)) {
        for (const account of await expand(calls, grant)) found.set(account.external_id, { ...account, scope_list })
      }
      return [...found.values()]
    },
  }
}

/** Whether a token's scope numbers suffice to create, fill and push audiences. */
export const coversAudiences = (numbers: readonly number[]): boolean =>
  numbers.includes(SCOPE_AUDIENCES) || SCOPES_AUDIENCE.every((one) => numbers.includes(one))

/** An application's id is a number on the wire; a mistyped one is left for the platform to refuse. */
const appNumber = (appId: string): unknown => (/^[1-9]\d{0,19}$/.test(appId) ? idNumber(appId) : appId)
