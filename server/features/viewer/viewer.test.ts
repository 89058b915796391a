import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { createRuleCrowd, listRuleCrowds, openRule, storeRule } from '#contract/rule-crowd.ts'
import {
  changePassword,
  createToken,
  createViewer,
  deleteToken,
  deleteViewer,
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
import type { AppError } from '../../errors.ts'
import { anAdvertiser, aTag, leaf, tagged } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'
import { sessionService } from './session.ts'

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
  const guesses = Array.from({ length: 12 }, () => signIn({ username: 'admin', password: 'wrong-password' }))
  const checked = (await Promise.all(guesses)).filter((answer) => answer.statusCode === 401)
  expect(checked).toHaveLength(5)
})

test('guesses sent at once to several processes count like guesses sent one after another', async () => {
  const processes = [sessionService(db), sessionService(db), sessionService(db)]
  const from = { address: '203.0.113.7', agent: '' }
  const guesses = await Promise.allSettled(
    Array.from({ length: 12 }, (_, i) => processes[i % 3]?.signIn('admin', 'wrong-password', from)),
  )
  const codes = guesses.map((guess) => guess.status === 'rejected' && (guess.reason as AppError).code)
  expect(codes.filter((code) => code === FAULTS.wrongPassword.code)).toHaveLength(5)
  expect(codes.filter((code) => code === FAULTS.signInThrottled.code)).toHaveLength(7)
})

/** Signs in from an address, with the cookie of a browser if it has one. */
const signInFrom = (remoteAddress: string, password: string, browser?: string) =>
  app.app.inject({
    ...{ method: 'POST', url: login.path, remoteAddress, headers: { 'sec-fetch-site': 'same-origin' } },
    ...(browser ? { cookies: { renqun_browser: browser } } : {}),
    payload: { username: 'admin', password },
  })
/** As after guesses at the name from 30 addresses. */
async function nameIsSlowedDown() {
  await db.deleteFrom('sign_in_attempt').where('key', '=', 'name:admin').execute()
  const row = { key: 'name:admin', failures: 30, first_at: now(), until: now() + 60 }
  await db.insertInto('sign_in_attempt').values(row).execute()
}

test('guesses from many addresses slow a name down, but lock out no address that has signed in before', async () => {
  expect((await signInFrom('203.0.113.7', PASSWORD)).statusCode).toBe(200)
  for (let i = 1; i <= 30; i++) {
    expect((await signInFrom(`198.51.100.${i}`, 'wrong-password')).statusCode).toBe(401)
  }
  const stranger = await signInFrom('203.0.113.8', PASSWORD)
  expect([stranger.statusCode, stranger.json().msg]).toEqual([429, '登录尝试过于频繁，请 1 分钟后再试'])
  expect((await signInFrom('203.0.113.7', PASSWORD)).statusCode).toBe(200)
  // A minute later one more guess is checked, not thirty.
  await db
    .updateTable('sign_in_attempt')
    .set((eb) => ({ until: eb('until', '-', 61) }))
    .where('key', '=', 'name:admin')
    .execute()
  expect((await signInFrom('198.51.100.40', 'wrong-password')).statusCode).toBe(401)
  expect((await signInFrom('198.51.100.41', 'wrong-password')).statusCode).toBe(429)
})

test('a browser that has signed in before is not locked out from anywhere, and has guesses of its own', async () => {
  const cookie = (await signInFrom('203.0.113.7', PASSWORD)).cookies.find(({ name }) => name === 'renqun_browser')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', maxAge: 180 * 86_400 })
  const browser = cookie?.value ?? ''
  expect(await db.selectFrom('known_place').select('value').execute()).not.toContainEqual({ value: browser })
  await nameIsSlowedDown()
  for (let i = 0; i < 5; i++) await signInFrom('203.0.113.9', 'wrong-password')
  const again = await signInFrom('203.0.113.9', PASSWORD, browser)
  expect(again.statusCode).toBe(200)
  expect(again.cookies.find(({ name }) => name === 'renqun_browser')?.value).toBe(browser)
  for (let i = 0; i < 5; i++) {
    expect((await signInFrom('203.0.113.9', 'wrong-password', browser)).statusCode).toBe(401)
  }
  expect((await signInFrom('203.0.113.9', PASSWORD, browser)).statusCode).toBe(429)
})

test('the right password clears the failures of a browser that has signed in before', async () => {
  const cookie = (await signInFrom('203.0.113.7', PASSWORD)).cookies.find(({ name }) => name === 'renqun_browser')
  const from = (password: string) => signInFrom('203.0.113.7', password, cookie?.value ?? '')
  for (let i = 0; i < 4; i++) expect((await from('wrong-password')).statusCode).toBe(401)
  expect((await from(PASSWORD)).statusCode).toBe(200)
  expect((await from('wrong-password')).statusCode).toBe(401)
  expect((await from(PASSWORD)).statusCode).toBe(200)
})

test('a sign-in whose password is changed after it was checked opens no session', async () => {
  let isChanged = false
  const changing: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isChanged && result.rows.some((row) => 'password_hash' in row)) {
        isChanged = true
        await app.services.viewers.resetByName('admin', 'another-password')
      }
      return result
    },
  }
  const { signIn } = sessionService(db.withPlugin(changing))
  const from = { address: '203.0.113.7', agent: '' }
  await expect(signIn('admin', PASSWORD, from)).rejects.toMatchObject({ fault: 'wrongPassword' })
  expect(isChanged).toBe(true)
  expect(await db.selectFrom('session').select('id').where('address', '=', from.address).execute()).toEqual([])
})

test('a browser is known for the names that signed in there only, and not by a cookie of its own making', async () => {
  await app.viewer('张三', [])
  const browserOf = (answer: Awaited<ReturnType<typeof signInFrom>>) =>
    answer.cookies.find(({ name }) => name === 'renqun_browser')?.value
  const theirs = await app.app.inject({
    ...{ method: 'POST', url: login.path, remoteAddress: '198.51.100.99' },
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { username: '张三', password: PASSWORD },
  })
  await nameIsSlowedDown()
  expect((await signInFrom('203.0.113.9', PASSWORD, browserOf(theirs))).statusCode).toBe(429)
  await db.deleteFrom('sign_in_attempt').execute()
  expect(browserOf(await signInFrom('203.0.113.9', PASSWORD, 'my-own'))).not.toBe('my-own')
})

test('a new password makes strangers of all who signed in with the old one', async () => {
  const before = await signInFrom('203.0.113.7', PASSWORD)
  const browser = before.cookies.find(({ name }) => name === 'renqun_browser')?.value
  await app.services.viewers.resetByName('admin', 'another-password')
  await nameIsSlowedDown()
  expect((await signInFrom('203.0.113.7', 'another-password', browser)).statusCode).toBe(429)
})

test('right sign-ins of many viewers behind one address do not use up its guesses', async () => {
  for (let i = 0; i < 35; i++) {
    await db.deleteFrom('known_place').execute()
    expect((await signInFrom('203.0.113.7', PASSWORD)).statusCode).toBe(200)
  }
})

test('a session ends 90 days after the sign-in, however it is used', async () => {
  const value = (await signIn({ username: 'admin', password: PASSWORD })).cookies[0]?.value ?? ''
  const use = () => app.app.inject({ url: getViewer.path, cookies: { renqun_session: value } })
  const signedInDaysAgo = (days: number) =>
    db
      .updateTable('session')
      .set({ created_at: now() - days * 86_400, last_seen: now() - 1000, expires_at: now() + 3600 })
      .execute()
  await signedInDaysAgo(89)
  const [cookie] = (await use()).cookies
  // The last day: it is not extended beyond the 90th.
  expect(cookie?.maxAge).toBeGreaterThan(86_000)
  expect(cookie?.maxAge).toBeLessThanOrEqual(86_400)
  await signedInDaysAgo(90)
  expect((await use()).statusCode).toBe(401)
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

/** A viewer with a token, and calls with it. */
async function aTokenHolder(username: string) {
  const viewer = await app.viewer(username, [])
  const { token } = await viewer.get(createToken, { body: { name: '脚本' } })
  const { list } = await app.admin.get(listViewers)
  const id = list.find((one) => one.username === username)?.id ?? 0
  const statusWithToken = async () =>
    (await app.app.inject({ url: getViewer.path, headers: { authorization: `Bearer ${token}` } })).statusCode
  return { viewer, id, statusWithToken }
}

test('the tokens of a disabled viewer do not come back when the viewer is enabled again', async () => {
  const { id, viewer, statusWithToken } = await aTokenHolder('赵六')
  expect(await statusWithToken()).toBe(200)
  await app.admin.get(updateViewer, { params: { id }, body: { is_disabled: true } })
  expect(await statusWithToken()).toBe(401)
  await app.admin.get(updateViewer, { params: { id }, body: { is_disabled: false } })
  expect(await statusWithToken()).toBe(401)
  expect((await viewer.call(getViewer)).status).toBe(401)
  const rows = await db.selectFrom('audit').select('detail').where('action', '=', 'viewer.update').execute()
  expect(rows[0]?.detail).toEqual({ id, is_disabled: true, sessions: 1, tokens: 1, links: 0 })
})

test('a new password ends tokens if that is asked for', async () => {
  const { id, viewer, statusWithToken } = await aTokenHolder('赵六')
  const change = (old_password: string, password: string, end_tokens: boolean) =>
    viewer.get(changePassword, { body: { old_password, password, end_tokens } })
  await change(PASSWORD, 'another-password', false)
  expect(await statusWithToken()).toBe(200)
  await app.admin.get(resetViewerPassword, { params: { id }, body: { ...RESET, end_tokens: false } })
  expect(await statusWithToken()).toBe(200)
  const again = await aTokenHolder('孙七')
  await again.viewer.get(changePassword, {
    body: { old_password: PASSWORD, password: 'another-password', end_tokens: true },
  })
  expect(await again.statusWithToken()).toBe(401)
})

test.each([
  ['Password123', '这个密码太常见，容易被猜到，请换一个'],
  ['1qaz2wsx', '这个密码太常见，容易被猜到，请换一个'],
  ['ZhaoLiu2026', '密码不能是用户名，也不能是用户名加几位数字'],
])('the password %s is refused at creation and at every change: %s', async (password, msg) => {
  const viewer = await app.viewer('zhaoliu', [])
  const { list } = await app.admin.get(listViewers)
  const id = list.find((one) => one.username === 'zhaoliu')?.id ?? 0
  const refusals = [
    await viewer.call(changePassword, { body: { old_password: PASSWORD, password } }),
    await app.admin.call(resetViewerPassword, { params: { id }, body: { password } }),
    await app.admin.call(createViewer, { body: { username: 'zhaoliu26', password } }),
  ]
  expect(refusals.map((answer) => [answer.status, answer.msg])).toEqual([
    [400, msg],
    [400, msg],
    [400, msg],
  ])
  await expect(app.services.viewers.resetByName('zhaoliu', password)).rejects.toThrow(msg)
})

test('the last admin cannot be demoted or disabled', async () => {
  const { list } = await app.admin.get(listViewers)
  const id = list[0]?.id ?? 0
  for (const body of [{ is_admin: false }, { is_disabled: true }]) {
    expect((await app.admin.call(updateViewer, { params: { id }, body })).code).toBe(FAULTS.lastAdmin.code)
  }
})

test('a membership can be one that only looks, and stays so while the others change', async () => {
  const [one, two, three] = [await anAdvertiser(app), await anAdvertiser(app), await anAdvertiser(app)]
  const body = { username: '李四', password: 'long-enough', adv_ids: [one, two], read_only_adv_ids: [two] }
  const { id } = await app.admin.get(createViewer, { body })
  const membership = async () => {
    const row = (await app.admin.get(listViewers)).list.find((v) => v.id === id)
    return [row?.adv_ids, row?.read_only_adv_ids]
  }
  expect(await membership()).toEqual([[one, two], [two]])
  await app.admin.get(updateViewer, { params: { id }, body: { adv_ids: [two, three] } })
  expect(await membership()).toEqual([[two, three], [two]])
  await app.admin.get(updateViewer, { params: { id }, body: { read_only_adv_ids: [three] } })
  expect(await membership()).toEqual([[two, three], [three]])
  const signedIn = await signIn({ username: '李四', password: 'long-enough' })
  expect(signedIn.json().data.read_only_adv_ids).toEqual([three])
  const wrong = await app.admin.call(updateViewer, { params: { id }, body: { read_only_adv_ids: [one] } })
  expect([wrong.status, wrong.msg]).toEqual([400, '只能查看的广告主必须也在所属广告主里'])
  // An admin may change everything whatever the membership was.
  await app.admin.get(updateViewer, { params: { id }, body: { is_admin: true } })
  const admin = await signIn({ username: '李四', password: 'long-enough' })
  expect(admin.json().data.read_only_adv_ids).toEqual([])
})

test('a deleted viewer is gone at once, leaves their name with what they made, and frees the sign-in name', async () => {
  const adv_id = await anAdvertiser(app)
  const { id, viewer, statusWithToken } = await aTokenHolder('赵六')
  await app.admin.get(updateViewer, { params: { id }, body: { adv_ids: [adv_id] } })
  const { rId } = await viewer.get(openRule, { body: { advId: adv_id } })
  const rule = leaf('a', 'n', tagged(await aTag(app, adv_id, [1])))
  await viewer.get(storeRule, { params: { rId }, body: { advId: adv_id, rule } })
  await viewer.get(createRuleCrowd, { body: { rId, name: '留下', invalidTime: now() + 86_400, dirId: 1 } })
  await app.admin.get(deleteViewer, { params: { id } })
  expect(await statusWithToken()).toBe(401)
  expect((await viewer.call(getViewer)).status).toBe(401)
  expect((await signIn({ username: '赵六', password: PASSWORD })).statusCode).toBe(401)
  expect((await app.admin.get(listViewers)).list.map((v) => v.username)).toEqual(['admin'])
  expect((await app.admin.get(listRuleCrowds, { query: {} })).res).toMatchObject([{ creator: '赵六' }])
  const rows = await db.selectFrom('audit').select('detail').where('action', '=', 'viewer.delete').execute()
  expect(rows).toEqual([{ detail: { id, username: '赵六', realname: '赵六', sessions: 1, tokens: 1, links: 0 } }])
  expect((await app.admin.call(deleteViewer, { params: { id } })).status).toBe(404)
  expect((await app.admin.call(updateViewer, { params: { id }, body: { is_disabled: false } })).status).toBe(404)
  await expect(app.services.viewers.resetByName('赵六', 'another-password')).rejects.toThrow('不存在')
  const again = { username: '赵六', password: 'long-enough' }
  expect((await app.admin.get(createViewer, { body: again })).id).not.toBe(id)
})

test('one’s own account cannot be deleted, and two admins cannot delete each other', async () => {
  const { list } = await app.admin.get(listViewers)
  const me = list[0]?.id ?? 0
  expect((await app.admin.call(deleteViewer, { params: { id: me } })).code).toBe(FAULTS.ownAccount.code)
  const other = await app.viewer('第二位', [])
  const id = (await app.admin.get(listViewers)).list.find((v) => v.username === '第二位')?.id ?? 0
  await app.admin.get(updateViewer, { params: { id }, body: { is_admin: true } })
  const answers = await Promise.all([
    app.admin.call(deleteViewer, { params: { id } }),
    other.call(deleteViewer, { params: { id: me } }),
  ])
  expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
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

test('the first admin’s password is checked only where the admin is made', async () => {
  const { firstPasswordFault } = app.services.viewers
  expect(await firstPasswordFault('Password123')).toBeNull()
  await db.deleteFrom('viewer').execute()
  expect(await firstPasswordFault('Password123')).toBe('这个密码太常见，容易被猜到，请换一个')
  expect(await firstPasswordFault('Admin2026')).toBe('密码不能是用户名，也不能是用户名加几位数字')
  expect(await firstPasswordFault('a-good-password')).toBeNull()
})
