import { beforeEach, expect, test } from 'vitest'
import { listAdvertiserData, type PlatformAccount } from '#contract/advertiser.ts'
import {
  type AuthorisationOutcome,
  getAuthorisationOutcome,
  listPlatforms,
  revokeAuthorisation,
  startAuthorisation,
} from '#contract/authorisation.ts'
import { FAULTS } from '#contract/errors.ts'
import { PLATFORMS, type PlatformCode } from '#contract/platform.ts'
import { createToken } from '#contract/viewer.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { now } from '../../time/clock.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
let adv_id: number
beforeEach(async () => {
  await app.reset()
  await sandbox.control('switches/reset', {})
  adv_id = await anAdvertiser(app, '甲')
})

const VIDEO = ['9107199254750003', '9107199254750005', '9107199254750007', '9107199254750009']
const [SOCIAL_1 = '', SOCIAL_2 = ''] = ['9007199254750003', '9007199254750005']

type Choice = Parameters<typeof sandbox.consent>[1]

const start = (platform: PlatformCode, caller = app.admin, of = adv_id) =>
  caller.get(startAuthorisation, { body: { adv_id: of, platform } })

/** Opens the address to which the platform sends the browser. */
async function returnFrom(at: URL, caller: Caller = app.admin): Promise<URL> {
  const answer = await app.app.inject({ url: `${at.pathname}${at.search}`, headers: { cookie: caller.cookie } })
  expect(answer.statusCode).toBe(303)
  return new URL(String(answer.headers.location), 'http://own')
}

const outcomeAt = (at: URL, caller = app.admin): Promise<AuthorisationOutcome> =>
  caller.get(getAuthorisationOutcome, { params: { id: Number(at.searchParams.get('oauth')) } })

async function authorise(platform: PlatformCode, choice: Choice = {}, caller = app.admin, of = adv_id) {
  const { url } = await start(platform, caller, of)
  return outcomeAt(await returnFrom(await sandbox.consent(url, choice), caller), caller)
}

async function accounts(caller = app.admin): Promise<PlatformAccount[]> {
  const { list } = await caller.get(listAdvertiserData)
  return list.flatMap((advertiser) => advertiser.accounts)
}

async function account(external_id: string): Promise<PlatformAccount> {
  const found = (await accounts()).find((one) => one.external_id === external_id)
  if (!found) throw new Error(`there is no account ${external_id}`)
  return found
}

const actions = async () => {
  const rows = await db
    .selectFrom('audit')
    .select('action')
    .where('action', 'like', 'authorisation.%')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.action.replace('authorisation.', ''))
}

test('an account is authorised with the given scopes, or with all when none is named', async () => {
  const outcome = await authorise(1, { accounts: [SOCIAL_1] })
  expect(outcome).toMatchObject({
    error: null,
    accounts: [{ external_id: SOCIAL_1, name: '云杉腾讯账户1（云杉科技有限公司）', is_new: true }],
  })
  const next = await authorise(1, { accounts: [SOCIAL_2], scopes: ['audience_management', 'ads_insights'] })
  expect(next.accounts).toMatchObject([{ external_id: SOCIAL_2, name: '云杉腾讯账户2（云杉科技有限公司）' }])
  expect(await accounts()).toMatchObject([
    { external_id: SOCIAL_1, state: 'authorised', scope_list: ['all'], login: { accounts: 1 } },
    { external_id: SOCIAL_2, state: 'authorised', scope_list: ['audience_management', 'ads_insights'] },
  ])
  const [first] = await accounts()
  expect(first?.expires_at).toBeGreaterThan(now() + 29 * 86_400)
  expect(await actions()).toEqual(['start', 'done', 'start', 'done'])

  await authorise(1, { accounts: [SOCIAL_1], scopes: ['audience_management'] })
  expect(await account(SOCIAL_1)).toMatchObject({ id: first?.id, scope_list: ['audience_management'] })
})

test('accounts without a name of their own have that of their company, with their ids where it is the same', async () => {
  const [name, login_id] = ['无名科技有限公司', '880001']
  for (const told of [name, expect.stringMatching(/^无名科技有限公司（\d+）$/)]) {
    const { id } = await sandbox.control<{ id: string }>('accounts', {
      platform: 'social',
      login_id,
      name,
      company: name,
    })
    expect((await authorise(1, { accounts: [id] })).accounts).toMatchObject([{ external_id: id, name: told }])
  }
})

test('one login authorises all its accounts; without the audience scopes they can do nothing', async () => {
  const outcome = await authorise(2, { login: '770001', accounts: VIDEO })
  expect(outcome.accounts.map((one) => one.external_id)).toEqual(VIDEO)
  expect(await accounts()).toMatchObject(VIDEO.map(() => ({ scope_list: ['all'], login: { accounts: 4 } })))
  expect(await db.selectFrom('platform_login').select('id').execute()).toHaveLength(1)

  await authorise(2, { login: '770001', accounts: VIDEO, scopes: ['1', '14'] })
  expect(await accounts()).toMatchObject(VIDEO.map(() => ({ state: 'authorised', scope_list: [] })))
  expect(await db.selectFrom('platform_login').select('id').execute()).toHaveLength(1)
})

test('an account no longer managed by the login is invalid until the login manages it again', async () => {
  const [first = ''] = VIDEO
  await authorise(2, { accounts: VIDEO })
  await sandbox.control('accounts/valid', { platform: 'video', account_id: first, is_valid: false })
  expect(await authorise(2, { accounts: VIDEO })).toMatchObject({
    lost: [{ external_id: first, name: '云杉巨量账户1' }],
  })
  expect(await account(first)).toMatchObject({ state: 'invalid', reason: expect.stringContaining('不再管理') })
  const session = await app.services.accounts.session((await account(first)).id)
  await expect(session.token()).rejects.toMatchObject({ kind: 'unauthorised' })
  await sandbox.control('accounts/valid', { platform: 'video', account_id: first, is_valid: true })
  await authorise(2, { accounts: VIDEO })
  expect(await account(first)).toMatchObject({ state: 'authorised', reason: null })
})

test('an account of another advertiser stays there, and the outcome says so', async () => {
  const [first = '', second = ''] = VIDEO
  await authorise(2, { accounts: [first] })
  const other = await anAdvertiser(app, '乙')
  const named = await authorise(2, { accounts: [first, second] }, app.admin, other)
  expect(named).toMatchObject({
    accounts: [{ external_id: second }],
    elsewhere: [{ external_id: first, name: '云杉巨量账户1', adv_name: '甲' }],
  })
  const member = await app.viewer('member', [other])
  const { elsewhere } = await authorise(2, { accounts: [first] }, member, other)
  expect(elsewhere).toEqual([{ external_id: first, name: '云杉巨量账户1', adv_name: null }])
  expect(await accounts(member)).toMatchObject([{ external_id: second }])
})

test('an authorisation whose accounts all belong to another advertiser stores no tokens', async () => {
  await authorise(1, { accounts: [SOCIAL_1] })
  await db.updateTable('platform_account').set({ login_id: null }).execute()
  await db.deleteFrom('platform_login').execute()
  const other = await anAdvertiser(app, '乙')
  expect(await authorise(1, { accounts: [SOCIAL_1] }, app.admin, other)).toMatchObject({ error: null, accounts: [] })
  expect(await db.selectFrom('platform_login').selectAll().execute()).toEqual([])
  expect(await account(SOCIAL_1)).toMatchObject({ state: 'revoked' })
})

test('only the viewer who began an authorisation can use its answer', async () => {
  const stranger = await app.viewer('stranger', [await anAdvertiser(app, '乙')])
  const back = await sandbox.consent((await start(1)).url, { accounts: [SOCIAL_1] })
  expect((await returnFrom(back, stranger)).searchParams.get('oauth_error')).toBe('unknown')
  const signedOut = await returnFrom(back, app.nobody)
  expect([signedOut.pathname, signedOut.searchParams.get('from')]).toEqual([
    '/login',
    '/basic-manage/index/advertiser-data?oauth_error=signedOut',
  ])
  const guessed = new URL(back)
  guessed.searchParams.set('state', 'guessed')
  expect((await returnFrom(guessed)).searchParams.get('oauth_error')).toBe('unknown')
  const otherPlatform = new URL(back.href.replace('/social', '/video'))
  expect((await returnFrom(otherPlatform)).searchParams.get('oauth_error')).toBe('unknown')
  expect(await accounts()).toEqual([])

  const done = await returnFrom(back)
  expect(await outcomeAt(done)).toMatchObject({ error: null })
  const peek = { params: { id: Number(done.searchParams.get('oauth')) } }
  expect((await stranger.call(getAuthorisationOutcome, peek)).status).toBe(404)
})

test('an answer is accepted once, within its time, and only one of two concurrent requests gets it', async () => {
  const back = await sandbox.consent((await start(1)).url)
  const both = await Promise.all([returnFrom(back), returnFrom(back)])
  const refused = both.filter((at) => at.searchParams.has('oauth_error'))
  expect(refused.map((at) => at.searchParams.get('oauth_error'))).toEqual(['used'])
  expect((await returnFrom(back)).searchParams.get('oauth_error')).toBe('used')
  expect(await actions()).toEqual(['start', 'done'])

  const late = await sandbox.consent((await start(1)).url)
  await db.updateTable('oauth_state').set({ expires_at: now() }).where('used_at', 'is', null).execute()
  expect((await returnFrom(late)).searchParams.get('oauth_error')).toBe('expired')
})

test('the outcome names a refusal on the platform’s page, an old code and a silent platform', async () => {
  expect(await authorise(1, { decision: 'deny' })).toMatchObject({ error: '您在腾讯广告的授权页上取消了授权' })

  const back = await sandbox.consent((await start(2)).url)
  await sandbox.control('clock', { advance: 700 })
  expect(await outcomeAt(await returnFrom(back))).toMatchObject({ error: expect.stringContaining('授权码已失效') })
  await sandbox.control('clock', { advance: -700 })

  await sandbox.control('faults', { platform: 'social', path: '/oauth/token', kind: 'drop_before' })
  expect(await authorise(1)).toMatchObject({ error: expect.stringContaining('暂时没有回答') })
  expect(await accounts()).toEqual([])
  expect(await actions()).toEqual(['start', 'refused', 'start', 'refused', 'start', 'refused'])

  await sandbox.control('faults', { platform: 'video', path: '/user/info', kind: 'error', times: 1 })
  expect(await authorise(2)).toMatchObject({ error: null })
})

test('a viewer who left the advertiser meanwhile cannot authorise accounts for it', async () => {
  const member = await app.viewer('member', [adv_id])
  const back = await sandbox.consent((await start(1, member)).url)
  await db.deleteFrom('viewer_advertiser').execute()
  await returnFrom(back, member)
  expect(await accounts()).toEqual([])
  expect((await member.call(startAuthorisation, { body: { adv_id, platform: PLATFORMS.social.code } })).code).toBe(
    FAULTS.notMember.code,
  )
})

test('the video engine and commerce share a login, whose one pair of tokens both use', async () => {
  const [first = ''] = VIDEO
  const shop = { login: '770001', accounts: ['9107199254750011'] }
  await authorise(2, { login: '770001', accounts: [first] })
  const { accounts: taken } = await authorise(3, shop)
  expect(taken).toMatchObject([
    { external_id: '9107199254750013', name: '云杉千川账户1' },
    { external_id: '9107199254750015', name: '云杉千川账户2' },
  ])
  expect(await accounts()).toMatchObject([
    { platform: 2, external_id: first, state: 'authorised', scope_list: ['all'], login: { accounts: 3 } },
    { platform: 3, state: 'authorised', scope_list: ['all'] },
    { platform: 3, state: 'authorised', scope_list: ['all'] },
  ])
  const logins = await db.selectFrom('platform_login').select(['id', 'platform']).execute()
  expect(logins).toMatchObject([{ platform: 2 }])
  // A refresh ends the old pair for both.
  await sandbox.control('tokens/expire', { platform: 'video', what: 'access' })
  const tokens = []
  for (const { id } of await accounts()) {
    const session = await app.services.accounts.session(id)
    await session.tokenExpired(await session.token())
    tokens.push(await session.token())
  }
  expect(new Set(tokens).size).toBe(tokens.length)
  expect((await accounts()).map(({ state }) => state)).toEqual(['authorised', 'authorised', 'authorised'])

  // Authorised again for one product, the accounts of the other stay.
  await authorise(2, { login: '770001', accounts: VIDEO })
  expect((await accounts()).map(({ state }) => state)).toEqual(Array(6).fill('authorised'))
})

test('only a viewer with a session can start, for an open platform and with a return page of ours', async () => {
  const { token } = await app.admin.get(createToken, { body: { name: '接口' } })
  const byToken = await app.app.inject({
    method: 'POST',
    url: startAuthorisation.path,
    headers: { authorization: `Bearer ${token}` },
    payload: { adv_id, platform: PLATFORMS.social.code },
  })
  expect(byToken.json().code).toBe(FAULTS.tokenCannot.code)
  for (const back of ['https://evil.test/', '//evil.test', '/\\evil.test', 'x']) {
    const answer = await app.admin.call(startAuthorisation, { body: { adv_id, platform: PLATFORMS.social.code, back } })
    expect(answer.msg).toBe('返回地址只能是本站的页面')
  }
  expect((await app.admin.get(listPlatforms)).list).toMatchObject([
    { platform: PLATFORMS.social.code, is_sandbox: true, refusal: null },
    { platform: PLATFORMS.video.code, is_sandbox: true, refusal: null },
    { platform: PLATFORMS.commerce.code, is_sandbox: true, refusal: null },
  ])
})

test('no token is stored unencrypted, sent in an answer or written to the audit', async () => {
  const { url } = await start(2)
  await returnFrom(await sandbox.consent(url))
  const session = await app.services.accounts.session((await accounts())[0]?.id ?? 0)
  const token = await session.token()
  expect(token).toMatch(/^\w{20,}$/)
  const { rows } = await app.stores.postgres.pool.query(
    'select (select json_agg(l) from platform_login l)::text || (select json_agg(s) from oauth_state s)::text || (select json_agg(a) from audit a)::text as all',
  )
  expect(rows[0].all).not.toContain(token)
  expect(rows[0].all).not.toContain(new URL(url).searchParams.get('state'))
  expect(JSON.stringify(await app.admin.get(listAdvertiserData))).not.toContain(token)
})

test('the callback for waiting work runs in the same transaction', async () => {
  const resumed: number[] = []
  app.services.accounts.onAuthorised(async (tx, id) => {
    const { login_id } = await tx
      .selectFrom('platform_account')
      .select('login_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (login_id !== null) resumed.push(id)
  })
  const { accounts: taken } = await authorise(1)
  expect(resumed).toEqual(taken.map((one) => one.id))
})

test('revoking an account revokes all that share its token, which is deleted', async () => {
  const [first = '', second = ''] = VIDEO
  await authorise(2, { accounts: [first, second] })
  const [one, other] = [(await account(first)).id, (await account(second)).id]
  const stranger = await app.viewer('stranger', [])
  expect((await stranger.call(revokeAuthorisation, { params: { id: other } })).status).toBe(404)
  const session = await app.services.accounts.session(other)
  const { revoked } = await app.admin.get(revokeAuthorisation, { params: { id: one } })
  expect(revoked).toMatchObject([
    { id: one, external_id: first },
    { id: other, external_id: second },
  ])
  expect(await app.admin.get(revokeAuthorisation, { params: { id: one } })).toEqual({ revoked: [] })
  await expect(session.token()).rejects.toMatchObject({ kind: 'unauthorised' })
  for (const id of [first, second]) {
    expect(await account(id)).toMatchObject({ state: 'revoked', scope_list: [], login: null })
  }
  expect(await db.selectFrom('platform_login').selectAll().execute()).toEqual([])

  await authorise(2, { accounts: [first, second] })
  const twice = await Promise.all([one, other].map((id) => app.admin.get(revokeAuthorisation, { params: { id } })))
  expect(twice.flatMap((answer) => answer.revoked)).toHaveLength(2)
  expect(await actions()).toEqual(['start', 'done', 'revoke', 'start', 'done', 'revoke'])

  await authorise(2, { accounts: [first] })
  expect(await account(first)).toMatchObject({ id: one, state: 'authorised' })
})

test('accounts of advertisers that the viewer may not change keep a revoked account’s token', async () => {
  const [first = '', second = '', third = ''] = VIDEO
  await authorise(2, { accounts: [first] })
  const [other, looked] = [await anAdvertiser(app, '乙'), await anAdvertiser(app, '丙')]
  await authorise(2, { accounts: [first, second] }, app.admin, other)
  await authorise(2, { accounts: [first, second, third] }, app.admin, looked)
  const member = await app.viewer('member', [adv_id, looked])
  await db.updateTable('viewer_advertiser').set({ is_read_only: true }).where('adv_id', '=', looked).execute()
  const { revoked } = await member.get(revokeAuthorisation, { params: { id: (await account(first)).id } })
  expect(revoked.map((one) => one.external_id)).toEqual([first])
  expect(await account(first)).toMatchObject({ state: 'revoked' })
  expect(await account(second)).toMatchObject({ state: 'authorised', login: { accounts: 2 } })
  expect(await account(third)).toMatchObject({ state: 'authorised' })
})

test('an account refused by the platform is invalid until it is authorised again', async () => {
  await authorise(1, { accounts: [SOCIAL_1] })
  const { id } = await account(SOCIAL_1)
  await sandbox.control('tokens/revoke', { platform: 'social', account_id: SOCIAL_1 })
  const session = await app.services.accounts.session(id)
  const on = { signal: AbortSignal.timeout(5000), sample: () => {} }
  const ask = () => app.services.platforms.audiencesOf(PLATFORMS.social.code).countAudiences(session, on)
  await expect(ask()).rejects.toMatchObject({ kind: 'unauthorised' })
  expect(await account(SOCIAL_1)).toMatchObject({ state: 'invalid', reason: expect.stringContaining('11002') })
  await authorise(1, { accounts: [SOCIAL_1] })
  expect(await account(SOCIAL_1)).toMatchObject({ state: 'authorised', reason: null })
  expect(await ask()).toBe(0)
})

test('a token that the platform refuses is refused for every account that shares it', async () => {
  const [first = '', second = ''] = VIDEO
  await authorise(2, { accounts: [first, second] })
  await sandbox.control('tokens/revoke', { platform: 'video', account_id: first })
  const session = await app.services.accounts.session((await account(first)).id)
  const on = { signal: AbortSignal.timeout(5000), sample: () => {} }
  const ask = () => app.services.platforms.audiencesOf(PLATFORMS.video.code).countAudiences(session, on)
  await expect(ask()).rejects.toMatchObject({ kind: 'unauthorised' })
  const shown = await Promise.all([first, second].map((id) => account(id)))
  expect(shown.map(({ state, reason }) => ({ state, reason }))).toEqual(
    [first, second].map(() => ({ state: 'invalid', reason: expect.stringContaining('4010') })),
  )
  await authorise(2, { accounts: [first, second] })
  expect(await Promise.all([first, second].map(async (id) => (await account(id)).state))).toEqual([
    'authorised',
    'authorised',
  ])
})
