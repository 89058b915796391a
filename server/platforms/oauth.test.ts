import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PLATFORM_CODES, type PlatformCode, platformInfo } from '#contract/platform.ts'
import { faultOf, type PlatformWorld, platformWorld, shapeOf } from '../testing/platform-world.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../testing/platforms.ts'
import type { OAuthClient } from './oauth-client.ts'
import { openPlatforms } from './open.ts'
import { coversAudiences } from './video/oauth.ts'

const BACK = 'https://console.example.com/api/oauth/callback/social'

let world: PlatformWorld
beforeAll(async () => {
  world = await platformWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.control('switches/reset', {})
  world.takeCalls()
})

/** Consents on the platform's page; returns the code that the page sends back. */
async function consent(client: OAuthClient, login: string, accounts: string[], scopes: string[], redirect_uri = BACK) {
  const page = await client.authoriseUrl({ state: 's-1', redirect_uri })
  const form = new URLSearchParams({ login, decision: 'approve' })
  for (const account of accounts) form.append('account', account)
  for (const scope of scopes) form.append('scope', scope)
  const answer = await fetch(page, { method: 'POST', body: form, redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? 'none:')
  expect(back.searchParams.get('state')).toBe('s-1')
  const parameters = PLATFORM_CODES.map((code) => platformInfo(code).codeParameter)
  return parameters.map((name) => back.searchParams.get(name)).find((code) => code !== null) ?? ''
}
const namesOf = (tokens: { access_token: string; refresh_token: string }, code = '') => ({
  [tokens.access_token]: 'token',
  [tokens.refresh_token]: 'refresh token',
  ...(code && { [code]: 'code' }),
})
const VIDEO_SCOPES = ['1', '10', '100', '14', '140', '3', '30', '31']

describe('authorisation on the social platform', () => {
  const ACCOUNT = '9007199254750003'
  const SCOPES = ['ads_management', 'audience_management']
  let client: OAuthClient
  beforeAll(() => {
    client = world.platforms.oauthOf(SOCIAL)
  })

  test('goes from the consent page to tokens with requests that match the reviewed snapshot', async () => {
    const code = await consent(client, '880001', [ACCOUNT], SCOPES)
    world.takeCalls()
    const tokens = await client.exchange(code, BACK)
    expect(tokens).toMatchObject({ authorizer_id: ACCOUNT })
    expect(tokens.scope_list?.toSorted()).toEqual(SCOPES)
    const now = Date.now() / 1000
    expect(tokens.expires_at - now).toBeGreaterThan(86_000)
    expect(tokens.refresh_expires_at - now).toBeGreaterThan(2_591_000)
    const login = await client.login(tokens)
    expect(login.external_id).toBe(ACCOUNT)
    const accounts = await client.accounts(tokens)
    expect(accounts).toMatchObject([{ external_id: ACCOUNT, name: expect.stringContaining('云杉') }])
    expect(accounts[0]?.scope_list.toSorted()).toEqual(SCOPES)
    const renewed = await client.refresh(tokens)
    expect(renewed).toMatchObject({ refresh_token: tokens.refresh_token, authorizer_id: ACCOUNT })
    expect(renewed.access_token).not.toBe(tokens.access_token)
    await client.accounts(renewed)
    const shapes = await Promise.all(world.takeCalls().map((call) => shapeOf(call, namesOf(tokens, code))))
    await expect(
      `${shapes.slice(0, 4).join('\n\n')}\n`.replaceAll('sandbox-social-secret', '<secret>'),
    ).toMatchFileSnapshot('./social/oauth.snapshot.txt')
  })

  test('has the scope list `all` if it covers every scope of the application', async () => {
    const { access_token, refresh_token } = await world.control<{ access_token: string; refresh_token: string }>(
      'tokens',
      {
        platform: 'social',
        account_ids: [ACCOUNT],
      },
    )
    const tokens = {
      ...{ access_token, refresh_token, expires_at: 0, refresh_expires_at: 0 },
      ...{ scope_list: [], authorizer_id: ACCOUNT, authorizer_role: 'ACCOUNT_ROLE_TYPE_ADVERTISER' },
    }
    expect(await client.accounts(tokens)).toMatchObject([{ scope_list: ['all'] }])
  })

  test('of an agency covers the accounts below it', async () => {
    const code = await consent(client, '880003', ['9007199254750043'], SCOPES)
    const tokens = await client.exchange(code, BACK)
    const ids = (await client.accounts(tokens)).map(({ external_id }) => external_id)
    expect(ids).toEqual(expect.arrayContaining(['9007199254750045', '9007199254750047']))
  })

  test('of a private application succeeds although the platform still refuses the new token', async () => {
    const tokens = await client.exchange(await consent(client, '880001', [ACCOUNT], SCOPES), BACK)
    await world.control('faults', { platform: 'social', path: 'advertiser/get', kind: 'throttle', code: 11002 })
    expect(await client.login(tokens)).toEqual({ external_id: ACCOUNT, name: ACCOUNT })
    expect((await client.login(tokens)).name).toContain('云杉')
  })

  test('must start again if the code was used or is unknown, or the refresh token has expired', async () => {
    const code = await consent(client, '880001', [ACCOUNT], SCOPES)
    const tokens = await client.exchange(code, BACK)
    expect(await faultOf(client.exchange(code, BACK))).toMatchObject({ kind: 'unauthorised' })
    expect(await faultOf(client.exchange('nonsense', BACK))).toMatchObject({ kind: 'unauthorised' })
    await world.control('tokens/expire', { platform: 'social', account_id: ACCOUNT, what: 'refresh' })
    expect(await faultOf(client.refresh(tokens))).toMatchObject({ kind: 'unauthorised' })
  })

  test('is refreshed again if the answer to a refresh was lost', async () => {
    const tokens = await client.exchange(await consent(client, '880001', [ACCOUNT], SCOPES), BACK)
    await world.control('faults', { platform: 'social', path: 'oauth/token', kind: 'drop_after' })
    expect(await faultOf(client.refresh(tokens))).toMatchObject({ kind: 'later', isUncertain: true })
    await client.accounts(await client.refresh(tokens))
  })
})

describe('authorisation on the video engine', () => {
  const ACCOUNTS = ['9107199254750003', '9107199254750005']
  let client: OAuthClient
  beforeAll(() => {
    client = world.platforms.oauthOf(VIDEO)
  })

  test('goes from the consent page to tokens with requests that match the reviewed snapshot', async () => {
    const code = await consent(client, '770001', ACCOUNTS, VIDEO_SCOPES)
    world.takeCalls()
    const tokens = await client.exchange(code, BACK)
    expect(await client.login(tokens)).toMatchObject({ external_id: '770001' })
    const accounts = await client.accounts(tokens)
    expect(accounts.map(({ external_id }) => external_id).toSorted()).toEqual(ACCOUNTS)
    expect(accounts.every(({ scope_list, name }) => scope_list[0] === 'all' && name.includes('云杉'))).toBe(true)
    const renewed = await client.refresh(tokens)
    const names = { ...namesOf(tokens, code), [renewed.access_token]: 'token' }
    const shapes = await Promise.all(world.takeCalls().map((call) => shapeOf(call, names)))
    await expect(`${shapes.join('\n\n')}\n`.replaceAll('sandbox-video-secret', '<secret>')).toMatchFileSnapshot(
      './video/oauth.snapshot.txt',
    )
    // The refresh ended the old pair of tokens.
    expect(await faultOf(client.accounts(tokens))).toMatchObject({ kind: 'unauthorised' })
    expect(await faultOf(client.refresh(tokens))).toMatchObject({ kind: 'unauthorised' })
    expect(await client.accounts(renewed)).toHaveLength(2)
  })

  test('without the audience scopes can be used for nothing', async () => {
    const tokens = await client.exchange(
      await consent(client, '770001', ACCOUNTS, ['1', '10', '14', '140', '30']),
      BACK,
    )
    expect(await client.accounts(tokens)).toMatchObject([{ scope_list: [] }, { scope_list: [] }])
    expect([[3], [30, 31], [30], [31], []].map(coversAudiences)).toEqual([true, true, false, false, false])
  })

  test('of an organisation covers the accounts below it', async () => {
    const tokens = await client.exchange(await consent(client, '770002', ['9107199254750031'], VIDEO_SCOPES), BACK)
    const ids = (await client.accounts(tokens)).map(({ external_id }) => external_id)
    expect(ids.toSorted()).toEqual(['9107199254750033', '9107199254750035'])
  })

  test('omits an account that the login no longer manages', async () => {
    const tokens = await client.exchange(
      await consent(client, '770002', ['9107199254750023', '9107199254750025'], VIDEO_SCOPES),
      BACK,
    )
    await world.control('accounts/valid', { platform: 'video', account_id: '9107199254750025', is_valid: false })
    const ids = (await client.accounts(tokens)).map(({ external_id }) => external_id)
    await world.control('accounts/valid', { platform: 'video', account_id: '9107199254750025', is_valid: true })
    expect(ids).toEqual(['9107199254750023'])
  })

  test('must start again if the code was used', async () => {
    const code = await consent(client, '770001', ACCOUNTS, VIDEO_SCOPES)
    await client.exchange(code, BACK)
    expect(await faultOf(client.exchange(code, BACK))).toMatchObject({ kind: 'unauthorised', code: 40115 })
  })

  test.each([
    ['a shop', '770001', '9107199254750011', ['9107199254750013', '9107199254750015']],
    ['an agency', '770003', '9107199254750049', ['9107199254750051', '9107199254750053']],
    ['an organisation', '770002', '9107199254750031', ['9107199254750037']],
  ])('of %s covers its accounts on the commerce platform', async (_what, login, account, below) => {
    const commerce = world.platforms.oauthOf(COMMERCE)
    const tokens = await commerce.exchange(await consent(commerce, login, [account], VIDEO_SCOPES), BACK)
    expect((await commerce.accounts(tokens)).map(({ external_id }) => external_id).toSorted()).toEqual(below)
  })

  test('one token of a login covers what was granted to both products, each with its own accounts', async () => {
    const commerce = world.platforms.oauthOf(COMMERCE)
    await client.exchange(await consent(client, '770001', ACCOUNTS, VIDEO_SCOPES), BACK)
    const both = await commerce.exchange(await consent(commerce, '770001', ['9107199254750011'], VIDEO_SCOPES), BACK)
    const idsOf = async (of: typeof client) =>
      (await of.accounts(both)).map(({ external_id }) => external_id).toSorted()
    expect(await idsOf(client)).toEqual(ACCOUNTS)
    expect(await idsOf(commerce)).toEqual(['9107199254750013', '9107199254750015'])
  })
})

describe('pages and applications', () => {
  const at = (url: string | null) =>
    openPlatforms({
      endpointOf: async () => (url === null ? null : { url, appId: '11', secret: 's' }),
      dataDir: '/nonexistent',
    })
  const ask = { state: 's', redirect_uri: BACK }

  test("the vendors' pages are on separate hosts, any other host serves pages and API", async () => {
    const pageOf = async (url: string, code: PlatformCode) => {
      const { origin, pathname } = new URL(await at(url).oauthOf(code).authoriseUrl(ask))
      return origin + pathname
    }
    expect(await pageOf('https://api.e.qq.com/', 1)).toBe('https://developers.e.qq.com/oauth/authorize')
    expect(await pageOf('https://api.oceanengine.com', 2)).toBe('https://open.oceanengine.com/audit/oauth.html')
    expect(await pageOf('https://api.oceanengine.com', 3)).toBe(
      'https://qianchuan.jinritemai.com/openapi/qc/audit/oauth.html',
    )
    expect(await pageOf('http://127.0.0.1:9/social', 1)).toBe('http://127.0.0.1:9/social/oauth/authorize')
    expect(await pageOf('http://127.0.0.1:9/video', 2)).toBe('http://127.0.0.1:9/video/audit/oauth.html')
  })

  test('a platform without an address is a configuration fault', async () => {
    expect(await faultOf(at(null).oauthOf(SOCIAL).authoriseUrl(ask))).toMatchObject({ kind: 'configuration' })
  })

  test('a wrong secret is refused, and the message does not contain it', async () => {
    const wrong = openPlatforms({
      endpointOf: async (platform) => ({
        ...(platform === 'social' ? world.apps.social : world.apps.video),
        secret: 'not-the-secret',
      }),
      dataDir: '/nonexistent',
    })
    const code = await consent(wrong.oauthOf(SOCIAL), '880001', ['9007199254750003'], ['audience_management'])
    const social = await faultOf(wrong.oauthOf(SOCIAL).exchange(code, BACK))
    expect(social).toMatchObject({ kind: 'configuration', code: 11007 })
    const video = await faultOf(wrong.oauthOf(VIDEO).exchange('x', BACK))
    expect(['unauthorised', 'configuration']).toContain(video.kind)
    expect(`${social.message}${video.message}`).not.toContain('not-the-secret')
  })
})
