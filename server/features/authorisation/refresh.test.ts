import { beforeEach, expect, test, vi } from 'vitest'
import { listAdvertiserData } from '#contract/advertiser.ts'
import { startAuthorisation } from '#contract/authorisation.ts'
import { AUDIENCE_CODES, type AudienceCode } from '#contract/platform.ts'
import type { Tokens } from '../../platforms/oauth-client.ts'
import { transaction } from '../../postgres/transaction.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { SOCIAL, VIDEO } from '../../testing/platforms.ts'
import { now } from '../../time/clock.ts'
import { loginTokens } from './login-tokens.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
const { secrets } = app.stores
const { oauthOf } = app.services.platforms
beforeEach(async () => {
  await app.reset()
  await sandbox.control('switches/reset', {})
})

const REFRESHES = { 1: '/oauth/token', 2: '/open_api/oauth2/refresh_token/' } as const

/** Counts the refreshes that the platform is asked for from now on. */
async function refreshes(platform: AudienceCode) {
  const calls = () => sandbox.control<{ no: number; path: string }[]>('calls')
  const last = (await calls()).at(-1)?.no ?? 0
  return async () => (await calls()).filter((call) => call.no > last && call.path === REFRESHES[platform]).length
}

/** An authorised account with its login. */
async function anAccount(platform: AudienceCode) {
  const adv_id = await anAdvertiser(app)
  const { url } = await app.admin.get(startAuthorisation, { body: { adv_id, platform } })
  const at = await sandbox.consent(url)
  await app.app.inject({ url: `${at.pathname}${at.search}`, headers: { cookie: app.admin.cookie } })
  // The account's packages are read once it is authorised, with its token.
  await app.settled()
  const account = await db.selectFrom('platform_account').selectAll().orderBy('id').executeTakeFirstOrThrow()
  return { session: await app.services.accounts.session(account.id), login_id: account.login_id ?? 0 }
}

const login = (id: number) => db.selectFrom('platform_login').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const change = (id: number, values: object) =>
  db.updateTable('platform_login').set(values).where('id', '=', id).execute()
const tokensOf = async (id: number) => JSON.parse(secrets.open((await login(id)).tokens ?? '')) as Tokens
/** Another process on the same database. */
const anotherProcess = () => loginTokens({ db, secrets, oauthOf })
const state = async () => (await app.admin.get(listAdvertiserData)).list[0]?.accounts[0]
const checkDue = async () => {
  await transaction(db, (tx) => app.stores.jobs.send(tx, 'authorisation.look', {}))
  await app.settled()
}

test.each(AUDIENCE_CODES)(
  'a token about to end is refreshed once for all concurrent callers: platform %s',
  async (platform) => {
    const { session, login_id } = await anAccount(platform)
    const before = await session.token()
    expect(await session.token()).toBe(before)
    const count = await refreshes(platform)
    await change(login_id, { expires_at: now() + 30 })
    const others = [anotherProcess(), anotherProcess()]
    const given = await Promise.all([
      ...Array.from({ length: 5 }, () => session.token()),
      ...others.map((one) => one.token(login_id)),
      ...others.map((one) => one.refreshNow(login_id)),
    ])
    const tokens = new Set(given.filter((one) => one !== undefined))
    expect(tokens.size).toBe(1)
    expect([...tokens][0]).not.toBe(before)
    expect(await count()).toBe(1)
    expect((await tokensOf(login_id)).access_token).toBe([...tokens][0])
    expect(await login(login_id)).toMatchObject({ hold: null, error: null })
    // The platform accepts the new token.
    expect(await oauthOf(platform).accounts(await tokensOf(login_id))).not.toHaveLength(0)
  },
)

test('a token that the platform calls expired is replaced once for all callers', async () => {
  const { session, login_id } = await anAccount(2)
  const token = await session.token()
  const count = await refreshes(2)
  await Promise.all([session.tokenExpired(token), session.tokenExpired(token)])
  const fresh = await session.token()
  expect(fresh).not.toBe(token)
  // A late report about the old token.
  await session.tokenExpired(token)
  expect(await session.token()).toBe(fresh)
  expect(await count()).toBe(1)
  expect((await login(login_id)).expires_at).toBeGreaterThan(now())
})

test('while the platform fails, a valid token is still used; with an expired one the call says to try later', async () => {
  const { session, login_id } = await anAccount(2)
  const before = await session.token()
  await sandbox.control('faults', { platform: 'video', path: 'refresh_token', kind: 'error', times: 2 })
  await change(login_id, { expires_at: now() + 30 })
  expect(await session.token()).toBe(before)
  await change(login_id, { expires_at: 0 })
  await expect(session.token()).rejects.toMatchObject({ kind: 'later' })
  expect(await state()).toMatchObject({ state: 'authorised' })
  expect(await session.token()).not.toBe(before)
})

test('an authorisation ended by the platform works again once a viewer authorises again', async () => {
  const { session, login_id } = await anAccount(2)
  await sandbox.control('tokens/revoke', { platform: 'video' })
  await change(login_id, { expires_at: 0 })
  await expect(session.token()).rejects.toMatchObject({ kind: 'unauthorised' })
  expect(await login(login_id)).toMatchObject({ tokens: null, hold: null })
  expect(await state()).toMatchObject({ state: 'invalid', reason: expect.stringContaining('平台不再接受原来的授权') })
  const count = await refreshes(2)
  await expect(session.token()).rejects.toMatchObject({ kind: 'unauthorised' })
  expect(await count()).toBe(0)
  const lost = await db.selectFrom('audit').select('detail').where('action', '=', 'authorisation.lost').execute()
  expect(lost).toMatchObject([{ detail: { login_id } }])
  await db.deleteFrom('oauth_state').execute()
  const { url } = await app.admin.get(startAuthorisation, {
    body: { adv_id: (await app.admin.get(listAdvertiserData)).list[0]?.id ?? 0, platform: VIDEO },
  })
  const at = await sandbox.consent(url)
  await app.app.inject({ url: `${at.pathname}${at.search}`, headers: { cookie: app.admin.cookie } })
  expect(await state()).toMatchObject({ state: 'authorised', reason: null })
  expect(await session.token()).toMatch(/^\w+$/)
})

test('after a refresh whose answer was lost the account must be authorised again, with the reason', async () => {
  const { session, login_id } = await anAccount(2)
  await change(login_id, { expires_at: 0 })
  // The platform refreshes, but the answer is lost: the old pair is invalid.
  await sandbox.control('faults', { platform: 'video', path: 'refresh_token', kind: 'drop_after' })
  await expect(session.token()).rejects.toMatchObject({ kind: 'later', isUncertain: true })
  await expect(session.token()).rejects.toMatchObject({ kind: 'unauthorised' })
  expect(await state()).toMatchObject({ state: 'invalid', reason: expect.stringContaining('上一次刷新令牌时中断') })
})

test('the hold of a process killed during a refresh is waited for, then taken over', async () => {
  const { session, login_id } = await anAccount(2)
  const before = await tokensOf(login_id)
  await change(login_id, { expires_at: 0, hold: 'a process that is gone', hold_until: now() + 2 })
  const began = Date.now()
  expect(await session.token()).not.toBe(before.access_token)
  expect(Date.now() - began).toBeGreaterThan(900)
  expect(await login(login_id)).toMatchObject({ hold: null, error: null })
})

test('a hold taken before the clock was set back does not block', async () => {
  const { session, login_id } = await anAccount(2)
  const before = await tokensOf(login_id)
  await change(login_id, { expires_at: 0, hold: 'a process that is gone', hold_until: now() + 10_800 })
  expect(await session.token()).not.toBe(before.access_token)
  expect(await login(login_id)).toMatchObject({ hold: null, error: null })
})

test('the job refreshes only tokens that end soon', async () => {
  const { login_id } = await anAccount(1)
  const before = await tokensOf(login_id)
  const count = await refreshes(1)
  await checkDue()
  expect(await count()).toBe(0)
  await change(login_id, { expires_at: now() + 3600, refresh_expires_at: now() + 86_400 })
  await checkDue()
  expect(await count()).toBe(1)
  expect((await tokensOf(login_id)).access_token).not.toBe(before.access_token)
  expect((await login(login_id)).refresh_expires_at).toBeGreaterThan(now() + 20 * 86_400)
  const { detail } = await db
    .selectFrom('audit')
    .select('detail')
    .where('action', '=', 'authorisation.refresh')
    .executeTakeFirstOrThrow()
  expect(detail).toEqual({ login_id, platform: SOCIAL })
})

test('an expired authorisation is not refreshed', async () => {
  const { session, login_id } = await anAccount(1)
  const count = await refreshes(1)
  await change(login_id, { expires_at: 0, refresh_expires_at: now() - 1 })
  expect(await state()).toMatchObject({ state: 'expired' })
  await checkDue()
  await expect(session.token()).rejects.toMatchObject({ kind: 'unauthorised' })
  expect(await count()).toBe(0)
  expect((await login(login_id)).tokens).toBeNull()
  expect(await state()).toMatchObject({ state: 'expired' })
})

test('a failed refresh writes no token to the log', async () => {
  const { login_id } = await anAccount(1)
  const { access_token, refresh_token } = await tokensOf(login_id)
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  await change(login_id, { expires_at: 0 })
  await sandbox.control('faults', { platform: 'social', path: '/oauth/token', kind: 'drop_before' })
  await checkDue()
  expect(warnings).toHaveBeenCalledTimes(1)
  const log = JSON.stringify([...warnings.mock.calls, ...errors.mock.calls])
  expect(log).not.toContain(access_token)
  expect(log).not.toContain(refresh_token)
  vi.restoreAllMocks()
})
