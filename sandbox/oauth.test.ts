import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PLATFORMS } from './platforms.ts'
import {
  type Bench,
  FOREIGN_ACCOUNT,
  queryText,
  type Row,
  SOCIAL_ACCOUNTS,
  sandboxForTest,
  VIDEO_ACCOUNTS,
} from './testing.ts'

const CALLBACK = 'http://127.0.0.1:3000/api/oauth/callback'
let bench: Bench
beforeAll(async () => {
  bench = await sandboxForTest()
})
beforeEach(() => bench.control('switches/reset'))
afterAll(() => bench.close())

interface Answer {
  code: number
  message: string
  data: Row & { access_token: string; refresh_token: string; authorizer_info: Row }
}
const json = async (response: Response) => (await response.json()) as Answer

/** Presses a button on a platform's page; returns the address that it redirects to. */
async function decide(page: string, form: [string, string][]): Promise<URL> {
  const response = await fetch(page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  expect(response.status).toBe(302)
  return new URL(response.headers.get('location') ?? '')
}

describe('the social platform', () => {
  const page = (more: object = {}) =>
    `${bench.box.socialUrl}/oauth/authorize?${queryText({ client_id: PLATFORMS.social.app.id, redirect_uri: CALLBACK, state: 'a b&c', ...more })}`
  const ALL = ['ads_management', 'ads_insights', 'account_management', 'audience_management', 'user_actions']
  const form = (account: string, scopes: readonly string[] = ALL): [string, string][] => [
    ['login', '880001'],
    ['account', account],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
    ['decision', 'approve'],
  ]
  const codeOf = async (scopes?: readonly string[], account: string = SOCIAL_ACCOUNTS[0]) =>
    (await decide(page(), form(account, scopes))).searchParams.get('authorization_code') ?? ''
  const app = { client_id: PLATFORMS.social.app.id, client_secret: PLATFORMS.social.app.secret }
  const token = async (query: object) =>
    json(await fetch(`${bench.box.socialUrl}/oauth/token?${queryText({ ...app, ...query })}`))
  const exchange = (authorization_code: string, more: object = {}) =>
    token({ grant_type: 'authorization_code', authorization_code, redirect_uri: CALLBACK, ...more })

  test('shows the login’s accounts on a page that says that it is a sandbox', async () => {
    const text = await (await fetch(page())).text()
    expect(text).toContain('沙箱')
    expect(text).toContain('云杉腾讯账户1')
    expect(await (await fetch(page({ login: '880002' }))).text()).toContain('海棠腾讯账户1')
  })

  test.each([
    ['an unknown application', { client_id: '1' }],
    ['a redirect that is not an HTTP address', { redirect_uri: 'javascript:alert(1)' }],
    ['a state of 513 bytes', { state: 's'.repeat(513) }],
    ['an unknown scope', { scope: 'everything' }],
  ])('%s is refused', async (_, more) => {
    expect((await fetch(page(more))).status).toBe(400)
  })

  test('consent redirects with a code and the state, refusal without a code', async () => {
    const yes = await decide(page(), form(SOCIAL_ACCOUNTS[0]))
    expect(yes.href.startsWith(CALLBACK)).toBe(true)
    expect(yes.searchParams.get('state')).toBe('a b&c')
    const no = await decide(page(), [['decision', 'deny']])
    expect(Object.fromEntries(no.searchParams)).toEqual({ state: 'a b&c', error: 'access_denied' })
  })

  test('consent needs an account and a scope', async () => {
    const press = (given: [string, string][]) =>
      fetch(page(), { method: 'POST', body: new URLSearchParams(given), redirect: 'manual' })
    expect((await press(form('1'))).status).toBe(400)
    expect((await press(form(SOCIAL_ACCOUNTS[0], []))).status).toBe(400)
  })

  test('a code gives one pair of tokens; an empty list means every scope', async () => {
    const code = await codeOf()
    const { code: result, data } = await exchange(code)
    expect(result).toBe(0)
    expect(data).toMatchObject({ access_token_expires_in: 86_400, refresh_token_expires_in: 2_592_000 })
    expect(data.authorizer_info.scope_list).toEqual([])
    expect((await exchange(code)).code).toBe(11013)
    const some = await exchange(await codeOf(['audience_management']))
    expect(some.data.authorizer_info.scope_list).toEqual(['audience_management'])
  })

  test.each([
    ['another secret', { client_secret: 'x' }, 11007],
    ['an unknown code', { authorization_code: 'x' }, 11011],
    ['another redirect', { redirect_uri: `${CALLBACK}/2` }, 11011],
    ['no redirect', { redirect_uri: '' }, 18001],
    ['another grant', { grant_type: 'password' }, 18009],
  ])('%s is refused', async (_, more, code) => {
    expect((await exchange(await codeOf(), more)).code).toBe(code)
  })

  test('a code is valid for five minutes', async () => {
    const code = await codeOf()
    await bench.control('clock', { advance: 301 })
    expect((await exchange(code)).code).toBe(11009)
  })

  test('the token call keeps the refresh token, its own call renews it', async () => {
    const { data } = await exchange(await codeOf())
    const again = await token({ grant_type: 'refresh_token', refresh_token: data.refresh_token })
    expect(again.code).toBe(0)
    expect(again.data).not.toHaveProperty('refresh_token')
    expect(again.data).not.toHaveProperty('authorizer_info')
    const renew = async (refresh_token: string) =>
      json(await fetch(`${bench.box.socialUrl}/oauth/refresh_token?${queryText({ ...app, refresh_token })}`))
    const renewed = await renew(data.refresh_token)
    expect(renewed.data.refresh_token).not.toBe(data.refresh_token)
    expect((await renew(data.refresh_token)).code).toBe(11012)
    expect((await renew('none')).code).toBe(11010)
    await bench.control('clock', { advance: 2_592_001 })
    expect((await renew(renewed.data.refresh_token)).code).toBe(11012)
  })

  test('an agency’s token covers the accounts below it', async () => {
    const body: [string, string][] = form('9007199254750043').map(([name, value]) => [
      name,
      name === 'login' ? '880003' : value,
    ])
    const code = (await decide(page({ login: '880003' }), body)).searchParams.get('authorization_code') ?? ''
    const { data } = await exchange(code)
    expect(data.authorizer_info.account_role_type).toBe('ACCOUNT_ROLE_TYPE_AGENCY')
    const query = {
      access_token: data.access_token,
      timestamp: Math.floor(Date.now() / 1000),
      nonce: 'n',
      fields: ['account_id'],
      pagination_mode: 'PAGINATION_MODE_NORMAL',
      page_size: 10,
    }
    const answer = await (await fetch(`${bench.box.socialUrl}/v3.0/advertiser/get?${queryText(query)}`)).text()
    expect(answer).toContain('9007199254750045')
    expect(answer).toContain('9007199254750047')
  })
})

test('an organization lists the accounts below it; others are refused', async () => {
  const ask = async (account: string, below: readonly string[]) => {
    const access_token = await bench.token('social', [account, ...below])
    const query = {
      access_token,
      timestamp: Math.floor(Date.now() / 1000),
      nonce: 'n',
      account_id: account,
      pagination_mode: 'PAGINATION_MODE_NORMAL',
      page: 1,
      page_size: 10,
    }
    const url = `${bench.box.socialUrl}/v3.0/organization_account_relation/get?${queryText(query)}`
    return (await (await fetch(url)).text()) as string
  }
  const below = ['9007199254750065', '9007199254750067']
  const answer = await ask('9007199254750063', below)
  for (const id of below) expect(answer).toContain(`"account_id":${id}`)
  expect(await ask(SOCIAL_ACCOUNTS[0], [])).toContain('71003')
})

test('an agency lists the accounts below it', async () => {
  const below = ['9107199254750045', '9107199254750047']
  const token = await bench.token('video', ['9107199254750043', ...below])
  const url = `${bench.box.videoUrl}/open_api/2/agent/advertiser/select/?advertiser_id=9107199254750043`
  const answer = await (await fetch(url, { headers: { 'access-token': token } })).text()
  expect(answer).toContain(`"list":[${below.join()}]`)
})

describe('the video engine', () => {
  const page = (more: object = {}) =>
    `${bench.box.videoUrl}/audit/oauth.html?${queryText({ app_id: PLATFORMS.video.app.id, redirect_uri: CALLBACK, state: 's', ...more })}`
  const form = (
    accounts: readonly string[] = VIDEO_ACCOUNTS,
    scopes: readonly string[] = ['1', '14', '3'],
  ): [string, string][] => [
    ['login', '770001'],
    ...accounts.map((account): [string, string] => ['account', account]),
    ...scopes.map((scope): [string, string] => ['scope', scope]),
    ['decision', 'approve'],
  ]
  const codeOf = async (...given: Parameters<typeof form>) =>
    (await decide(page(), form(...given))).searchParams.get('auth_code') ?? ''
  const post = async (path: string, body: string) =>
    json(
      await fetch(`${bench.box.videoUrl}/open_api/oauth2/${path}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }),
    )
  const bodyOf = (more: object) =>
    JSON.stringify({ app_id: '#', secret: PLATFORMS.video.app.secret, ...more }).replace('"#"', PLATFORMS.video.app.id)
  const exchange = (auth_code: string, more: object = {}) => post('access_token', bodyOf({ auth_code, ...more }))
  const refresh = (refresh_token: string) => post('refresh_token', bodyOf({ refresh_token }))
  const isAlive = async (access_token: string) => {
    const headers = { 'access-token': access_token }
    return (await json(await fetch(`${bench.box.videoUrl}/open_api/2/user/info/`, { headers }))).code
  }

  test('all three addresses show the page; a scope limits what can be granted', async () => {
    for (const path of ['/audit/oauth.html', '/openapi/audit/oauth.html', '/openapi/qc/audit/oauth.html']) {
      expect((await fetch(page().replace('/audit/oauth.html', path))).status).toBe(200)
    }
    const text = await (await fetch(page({ scope: [30, 31] }))).text()
    expect(text).toContain('value="3"')
    expect(text).not.toContain('value="14"')
    expect((await fetch(page({ scope: 'all' }))).status).toBe(400)
  })

  test('a code gives one pair of tokens, for the chosen accounts', async () => {
    const code = await codeOf()
    const { data, code: result } = await exchange(code)
    expect(result).toBe(0)
    expect(data).toMatchObject({ expires_in: 86_400, refresh_token_expires_in: 2_592_000 })
    expect(await isAlive(data.access_token)).toBe(0)
    expect((await exchange(code)).code).toBe(40115)
  })

  test('a code ends with a newer authorisation of the login, or after ten minutes', async () => {
    const first = await codeOf()
    const second = await codeOf()
    expect((await exchange(first)).code).toBe(40115)
    await bench.control('clock', { advance: 601 })
    expect((await exchange(second)).code).toBe(40115)
  })

  test.each([
    ['an unknown application', () => bodyOf({}).replace(PLATFORMS.video.app.id, '12'), 40113],
    ['an application as text', () => bodyOf({}).replace(PLATFORMS.video.app.id, `"${PLATFORMS.video.app.id}"`), 40000],
    ['another secret', () => bodyOf({ secret: 'x' }), 40002],
    ['no code', () => bodyOf({}), 40000],
    ['an unknown code', () => bodyOf({ auth_code: 'x' }), 40115],
    ['another grant', () => bodyOf({ auth_code: 'x', grant_type: 'refresh_token' }), 40000],
  ])('%s is refused', async (_, body, code) => {
    expect((await post('access_token', body())).code).toBe(code)
  })

  test('a refresh gives a new pair and invalidates the old pair and all other pairs of the login', async () => {
    const { data: first } = await exchange(await codeOf())
    const { data: second } = await exchange(await codeOf())
    const { data: third } = await refresh(second.refresh_token)
    expect(await isAlive(third.access_token)).toBe(0)
    expect(await isAlive(second.access_token)).toBe(40104)
    expect(await isAlive(first.access_token)).toBe(40104)
    expect((await refresh(second.refresh_token)).code).toBe(40103)
    expect((await refresh(first.refresh_token)).code).toBe(40103)
    expect((await refresh('none')).code).toBe(40107)
    await bench.control('clock', { advance: 2_592_001 })
    expect((await refresh(third.refresh_token)).code).toBe(40103)
  })

  test('an account of another login is not granted', async () => {
    const response = await fetch(page(), {
      method: 'POST',
      body: new URLSearchParams(form([FOREIGN_ACCOUNT])),
      redirect: 'manual',
    })
    expect(response.status).toBe(400)
  })
})
