import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import {
  changePassword,
  createToken,
  createViewer,
  deleteToken,
  endSession,
  getViewer,
  listSessions,
  listTokens,
  listViewers,
  login,
  logout,
  resetViewerPassword,
  updateViewer,
} from '#contract/viewer.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'

const app = await testApp()
const { db } = app.stores.postgres
afterAll(() => app.close())
beforeEach(() => app.reset())

const PASSWORD = 'right-password'
const RESET = { password: 'brand-new-one' }

const signIn = (body: object, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) =>
  app.app.inject({ method: 'POST', url: login.path, headers, payload: body })

test('the right password opens a session in a cookie that scripts cannot read', async () => {
  const answer = await signIn({ username: 'ADMIN', password: PASSWORD })
  expect(answer.json()).toMatchObject({ code: 0, data: { username: 'admin', is_admin: true } })
  const [cookie] = answer.cookies
  expect(cookie).toMatchObject({ name: 'renqun_session', httpOnly: true, sameSite: 'Lax', path: '/' })
  const me = await app.app.inject({ url: getViewer.path, cookies: { renqun_session: cookie?.value ?? '' } })
  expect(me.json().data.username).toBe('admin')
  const stored = await db.selectFrom('session').select('token_hash').execute()
  expect(stored.map((s) => s.token_hash)).not.toContain(cookie?.value)
})

test('using a session extends it and its cookie', async () => {
  const value = (await signIn({ username: 'admin', password: PASSWORD })).cookies[0]?.value ?? ''
  const use = (url: string = getViewer.path, method: 'GET' | 'POST' = 'GET') =>
    app.app.inject({ method, url, cookies: { renqun_session: value }, headers: { 'sec-fetch-site': 'same-origin' } })
  const makeIdle = () =>
    db
      .updateTable('session')
      .set({ last_seen: now() - 1000, expires_at: now() + 60 })
      .execute()
  expect((await use()).cookies).toEqual([])
  await makeIdle()
  expect((await use()).cookies).toMatchObject([{ name: 'renqun_session', value, maxAge: 14 * 86_400, httpOnly: true }])
  expect((await use()).cookies).toEqual([])
  await makeIdle()
  expect((await use(logout.path, 'POST')).cookies).toMatchObject([{ name: 'renqun_session', value: '' }])
})

test('a wrong name and a wrong password get the same answer', async () => {
  const answers = [
    await signIn({ username: 'admin', password: 'wrong-password' }),
    await signIn({ username: 'nobody', password: 'wrong-password' }),
  ]
  for (const answer of answers) {
    expect(answer.statusCode).toBe(401)
    const outcome = { code: 'fault', params: { fault: 'wrongPassword', words: {} } }
    expect(answer.json()).toEqual({ code: 402, msg: '用户名或密码错误', data: null, outcome })
  }
})

test('after five wrong guesses even the right password must wait, also after a restart', async () => {
  for (let i = 0; i < 5; i++) await signIn({ username: 'admin', password: 'wrong-password' })
  const answer = await signIn({ username: 'admin', password: PASSWORD })
  expect(answer.statusCode).toBe(429)
  expect(answer.json().msg).toBe('登录尝试过于频繁，请 15 分钟后再试')
  await db
    .updateTable('sign_in_attempt')
    .set({ until: now() - 1 })
    .execute()
  expect((await signIn({ username: 'admin', password: PASSWORD })).statusCode).toBe(200)
})

test('a wait that is longer than the window, because the clock was set back, is ignored', async () => {
  for (let i = 0; i < 5; i++) await signIn({ username: 'admin', password: 'wrong-password' })
  // As written by a clock three hours ahead.
  await db
    .updateTable('sign_in_attempt')
    .set((eb) => ({ until: eb('until', '+', 10_800), first_at: eb('first_at', '+', 10_800) }))
    .execute()
  expect((await signIn({ username: 'admin', password: 'wrong-password' })).statusCode).toBe(401)
  expect((await signIn({ username: 'admin', password: PASSWORD })).statusCode).toBe(200)
})

test('guesses sent at once count like guesses sent one after another', async () => {
  const guesses = Array.from({ length: 30 }, () => signIn({ username: 'admin', password: 'wrong-password' }))
  const checked = (await Promise.all(guesses)).filter((answer) => answer.statusCode === 401)
  // Two are checked at a time, so the second of the last pair may begin before the first is counted.
  expect(checked.length).toBeLessThanOrEqual(6)
})

test('signing out ends the session, and signing out twice succeeds', async () => {
  await app.admin.get(logout)
  expect((await app.admin.call(getViewer)).status).toBe(401)
  expect((await app.admin.call(logout)).code).toBe(0)
})

test('an expired session is refused', async () => {
  await db
    .updateTable('session')
    .set({ expires_at: now() - 1 })
    .execute()
  expect((await app.admin.call(getViewer)).code).toBe(FAULTS.signedOut.code)
})

test('a new password ends the other sessions and keeps this one', async () => {
  const other = await signIn({ username: 'admin', password: PASSWORD })
  const wrong = { old_password: 'wrong-password', password: 'another-password' }
  expect((await app.admin.call(changePassword, { body: wrong })).msg).toBe('当前密码不正确')
  await app.admin.get(changePassword, { body: { old_password: PASSWORD, password: 'another-password' } })
  expect((await app.admin.call(getViewer)).code).toBe(0)
  const value = other.cookies[0]?.value ?? ''
  expect((await app.app.inject({ url: getViewer.path, cookies: { renqun_session: value } })).statusCode).toBe(401)
  expect((await signIn({ username: 'admin', password: 'another-password' })).statusCode).toBe(200)
})

test('a token acts for its viewer until it is revoked, and makes no tokens itself', async () => {
  const { id, token } = await app.admin.get(createToken, { body: { name: '脚本' } })
  const headers = { authorization: `Bearer ${token}` }
  const me = await app.app.inject({ url: getViewer.path, headers })
  expect(me.json().data.username).toBe('admin')
  const more = await app.app.inject({ method: 'POST', url: createToken.path, headers, payload: { name: '更多' } })
  expect(more.json().code).toBe(FAULTS.tokenCannot.code)
  expect((await app.admin.get(listTokens)).list).toMatchObject([{ id, name: '脚本', tail: token.slice(-4) }])
  await app.admin.get(deleteToken, { params: { id } })
  expect((await app.app.inject({ url: getViewer.path, headers })).statusCode).toBe(401)
})

test('an expired token is refused', async () => {
  const { token } = await app.admin.get(createToken, { body: { name: '短', expires_at: now() + 60 } })
  await db
    .updateTable('api_token')
    .set({ expires_at: now() - 1 })
    .execute()
  const me = await app.app.inject({ url: getViewer.path, headers: { authorization: `Bearer ${token}` } })
  expect(me.statusCode).toBe(401)
})

test('a viewer lists and ends their own sessions only', async () => {
  const other = await app.viewer('张三', [])
  const { list } = await app.admin.get(listSessions)
  expect(list.filter((s) => s.is_current)).toHaveLength(1)
  const [theirs] = (await other.get(listSessions)).list
  expect((await app.admin.call(endSession, { params: { id: theirs?.id ?? 0 } })).status).toBe(404)
  await other.get(endSession, { params: { id: theirs?.id ?? 0 } })
  expect((await other.call(getViewer)).status).toBe(401)
})

test('an admin makes viewers, sets what they see, and disabling one ends their sessions at once', async () => {
  const adv = await anAdvertiser(app)
  const body = { username: '李四', password: 'long-enough', adv_ids: [adv] }
  const { id } = await app.admin.get(createViewer, { body })
  expect((await app.admin.call(createViewer, { body })).code).toBe(FAULTS.usernameTaken.code)
  expect((await app.admin.call(createViewer, { body: { ...body, username: '王五', adv_ids: [999] } })).status).toBe(404)
  await app.admin.get(updateViewer, { params: { id }, body: { see_phones: true, realname: '李小四' } })
  const row = (await app.admin.get(listViewers)).list.find((v) => v.id === id)
  expect(row).toMatchObject({ realname: '李小四', see_phones: true, adv_ids: [adv], is_disabled: false })
  const cookie = (await signIn({ username: '李四', password: 'long-enough' })).cookies[0]?.value ?? ''
  const me = () => app.app.inject({ url: getViewer.path, cookies: { renqun_session: cookie } })
  expect((await me()).statusCode).toBe(200)
  await app.admin.get(updateViewer, { params: { id }, body: { is_disabled: true } })
  expect((await me()).statusCode).toBe(401)
  expect((await signIn({ username: '李四', password: 'long-enough' })).statusCode).toBe(401)
})

test.each([
  ['an admin', async (id: number) => void (await app.admin.get(resetViewerPassword, { params: { id }, body: RESET }))],
  ['the command line', async () => void (await app.services.viewers.resetByName('赵六', RESET.password))],
])('a password reset by %s replaces the old one, ends the sessions and revokes the tokens', async (_, reset) => {
  const viewer = await app.viewer('赵六', [])
  const { token } = await viewer.get(createToken, { body: { name: '脚本' } })
  const { token: mine } = await app.admin.get(createToken, { body: { name: '脚本' } })
  const { list } = await app.admin.get(listViewers)
  const id = list.find((v) => v.username === '赵六')?.id ?? 0
  await reset(id)
  expect((await viewer.call(getViewer)).status).toBe(401)
  const asked = (bearer: string) =>
    app.app.inject({ url: getViewer.path, headers: { authorization: `Bearer ${bearer}` } })
  expect((await asked(token)).statusCode).toBe(401)
  expect((await asked(mine)).statusCode).toBe(200)
  expect((await signIn({ username: '赵六', password: RESET.password })).statusCode).toBe(200)
  const rows = await db.selectFrom('audit').select('detail').where('action', '=', 'viewer.reset_password').execute()
  expect(rows).toEqual([{ detail: { id, sessions: 1, tokens: 1 } }])
})

test('the last admin cannot be demoted or disabled', async () => {
  const { list } = await app.admin.get(listViewers)
  const id = list[0]?.id ?? 0
  for (const body of [{ is_admin: false }, { is_disabled: true }]) {
    expect((await app.admin.call(updateViewer, { params: { id }, body })).code).toBe(FAULTS.lastAdmin.code)
  }
})

test('every change writes an audit row', async () => {
  await app.admin.get(createToken, { body: { name: '审计' } })
  const rows = await db.selectFrom('audit').select(['action', 'detail']).orderBy('id').execute()
  expect(rows.at(-1)).toMatchObject({ action: 'token.create', detail: { name: '审计' } })
  expect(JSON.stringify(rows)).not.toContain(PASSWORD)
})

test('the first admin is made once', async () => {
  expect(await app.services.viewers.makeFirst('something-else')).toBeNull()
  expect((await app.admin.get(listViewers)).list).toHaveLength(1)
})
