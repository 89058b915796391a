import { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type { Adapter } from '../../platforms/adapter.ts'
import { type AudienceAdapter, PlatformFault, type StepHooks } from '../../platforms/audience-platform.ts'
import { callFor, type Verdict, type WireOptions } from '../../platforms/call.ts'
import { type Answer, gatewayFault, send } from '../../platforms/http.ts'
import type { OAuthClient } from '../../platforms/oauth-client.ts'

const KINDS: Record<string, PlatformFault['kind']> = {
  token: 'unauthorised',
  grant: 'unauthorised',
  application: 'configuration',
  name_taken: 'nameTaken',
  no_such_crowd: 'gone',
}
const Token = z.object({ access: z.string(), seconds: z.number() })
const Accounts = z.object({ accounts: z.array(z.object({ id: z.string(), name: z.string() })) })
const Crowds = z.object({
  crowds: z.array(z.object({ id: z.string(), key: z.string(), name: z.string(), size: z.number() })),
})
type Account = Parameters<AudienceAdapter['readAudience']>[0]

function interpret(answer: Answer, nowMs: number): Verdict {
  if (answer.status === 200) return { data: answer.json }
  const { data } = z.object({ error: z.string() }).safeParse(answer.json)
  return {
    fault: data
      ? new PlatformFault(KINDS[data.error] ?? 'refused', outcome('platform_refused', { text: data.error }))
      : gatewayFault(answer, nowMs),
  }
}

/** The calls of the invented platform in `vendor.ts`: a minimal adapter. */
function openWire({ endpoint, pace, nowMs, timeoutMs }: WireOptions) {
  async function call<T>(
    shape: z.ZodType<T>,
    account: Pick<Account, 'external_id' | 'token' | 'tokenExpired' | 'refused'>,
    on: Partial<StepHooks>,
    path: string,
    given: { query?: Record<string, string>; json?: object } = {},
  ): Promise<T> {
    const { url } = await endpoint()
    const data = await callFor({
      pace,
      nowMs,
      account,
      on,
      method: given.json ? 'POST' : 'GET',
      path,
      shown: JSON.stringify(given),
      build: (token) => ({
        url: new URL(`${url}${path}?${new URLSearchParams(given.query)}`),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(given.json && { body: JSON.stringify(given.json) }),
        timeoutMs,
      }),
      interpret: (answer) => interpret(answer, nowMs()),
    })
    return shape.parse(data)
  }
  return { call }
}
type Wire = ReturnType<typeof openWire>

function openOAuth({ endpoint, nowMs, timeoutMs }: WireOptions, wire: Wire): OAuthClient {
  const accounts = async (access_token: string, signal?: AbortSignal) => {
    const session = { external_id: 'login', token: async () => access_token, tokenExpired: async () => {} }
    return (await wire.call(Accounts, session, { ...(signal && { signal }) }, '/accounts')).accounts
  }
  return {
    async authoriseUrl({ state, redirect_uri }) {
      const { url, appId } = await endpoint()
      return `${url}/authorise?${new URLSearchParams({ app: appId, state, redirect: redirect_uri })}`
    },
    async exchange(code, _redirect_uri, signal) {
      const { url, appId, secret } = await endpoint()
      const answer = await send({
        method: 'POST',
        url: new URL(`${url}/tokens`),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ app: appId, secret, grant: code }),
        timeoutMs,
        signal,
        secret,
      })
      const verdict = interpret(answer, nowMs())
      if ('fault' in verdict) throw verdict.fault
      const { access, seconds } = Token.parse(verdict.data)
      const ends = Math.floor(nowMs() / 1000) + seconds
      return {
        access_token: access,
        refresh_token: access,
        expires_at: ends,
        refresh_expires_at: ends,
        scope_list: ['all'],
        authorizer_id: null,
        authorizer_role: null,
      }
    },
    async refresh() {
      throw new PlatformFault('unauthorised', outcome('authorisation_expired'))
    },
    login: async () => ({ external_id: 'login', name: '样例登录' }),
    accounts: async ({ access_token }, signal) =>
      (await accounts(access_token, signal)).map(({ id, name }) => ({ external_id: id, name, scope_list: ['all'] })),
  }
}

function openAudiences(wire: Wire): AudienceAdapter {
  const all = async (account: Account, on: StepHooks) =>
    (await wire.call(Crowds, account, on, '/crowds', { query: { account: account.external_id } })).crowds
  const Done = z.unknown()

  return {
    order: 'audience-first',
    formOf: (type) =>
      type === 'HASH_IMEI'
        ? { form: { wire: 'imei_md5', transform: 'none' }, reason: null }
        : {
            form: null,
            reason: outcome('platform_takes_only_hash', { platform: '样例平台', subject: 'IMEI', hash: 'MD5' }),
          },
    async ensureAudience(account, { key, name }, on) {
      const json = { account: account.external_id, key, name }
      const { id } = await wire.call(z.object({ id: z.string() }), account, on, '/crowds', { json })
      return { audience_id: id, source_id: null }
    },
    async findAudience(account, { key }, on) {
      const found = (await all(account, on)).find((crowd) => crowd.key === key)
      return found ? { audience_id: found.id, source_id: null } : null
    },
    async sendPart(account, { audience_id }, _type, part, on) {
      const values: string[] = []
      for await (const batch of part.values()) values.push(...batch)
      const json = { crowd: audience_id, part: part.key, op: part.op, type: 'imei_md5', values }
      await wire.call(Done, account, on, '/values', { json })
      return part.key
    },
    async applyParts() {},
    partState: async () => ({ state: 'done', accepted: null, reason: null }),
    async readAudience(account, ref, on) {
      const found = (await all(account, on)).find((crowd) => crowd.id === ref.audience_id)
      if (!found) throw new PlatformFault('gone', outcome('platform_audience_missing'))
      const { size } = found
      return {
        ref,
        state: { status: 'available', reason: null, accepted: size, covered: size, pending: null, not_before: null },
      }
    },
    async advance() {},
    async remove(account, { audience_id }, on) {
      if (audience_id !== null) await wire.call(Done, account, on, '/delete', { json: { crowd: audience_id } })
    },
    countAudiences: async (account, on) => (await all(account, on)).length,
  }
}

export const inventedAdapter: Adapter = {
  open(options) {
    const wire = openWire(options)
    return { oauth: openOAuth(options, wire), audiences: openAudiences(wire) }
  },
  sandbox: null,
}
