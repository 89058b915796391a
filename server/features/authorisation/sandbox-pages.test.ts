import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPlatforms, startAuthorisation } from '#contract/authorisation.ts'
import type { AudienceCode } from '#contract/platform.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const PAGES = '/api/oauth/sandbox'
const form = (fields: object) => ({
  payload: new URLSearchParams(Object.entries(fields)).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
})
const ask = (method: 'GET' | 'POST', url: string, more: { payload?: string; headers?: object } = {}) =>
  app.app.inject({ method, url, ...more, headers: { cookie: app.admin.cookie, ...more.headers } })

/** The path on our own address of the page that an authorisation opens. */
async function pageOf(platform: AudienceCode): Promise<string> {
  const adv_id = await anAdvertiser(app)
  const { url } = await app.admin.get(startAuthorisation, { body: { adv_id, platform } })
  const { pathname, search } = new URL(url)
  expect(pathname.startsWith(PAGES)).toBe(true)
  return pathname + search
}

test('the sandbox’s page is served on our own address, and its answer redirects to our callback', async () => {
  const page = await pageOf(1)
  const shown = await ask('GET', page)
  expect(shown.statusCode).toBe(200)
  expect(shown.body).toContain('云杉腾讯账户1')
  expect(shown.headers['content-security-policy']).toContain("default-src 'none'")
  expect(shown.headers['referrer-policy']).toBe('same-origin')
  const given = { login: '880001', account: '9007199254750003', scope: 'audience_management', decision: 'approve' }
  const answer = await ask('POST', page, form(given))
  expect(answer.statusCode).toBe(303)
  const back = new URL(String(answer.headers.location))
  expect(back.pathname).toBe('/api/oauth/callback/social')
  const { rows } = await app.stores.postgres.pool.query('select external_id from platform_account')
  expect(rows).toEqual([])
  expect((await ask('GET', back.pathname + back.search)).statusCode).toBe(303)
  const after = await app.stores.postgres.pool.query('select external_id from platform_account')
  expect(after.rows).toEqual([{ external_id: '9007199254750003' }])
})

test('the video engine’s page is served the same way', async () => {
  expect((await ask('GET', await pageOf(2))).body).toContain('云杉巨量账户1')
})

test('nothing else of the sandbox can be reached', async () => {
  for (const path of [
    '/sandbox',
    '/sandbox/state',
    '/social/oauth/token',
    '/social/../sandbox/state',
    '/video/open_api/2/user/info/',
  ]) {
    expect((await ask('GET', PAGES + path)).statusCode, path).toBe(404)
  }
})

test('a redirect to anywhere but our callback is refused', async () => {
  const page = (await pageOf(1)).replace(
    /redirect_uri=[^&]+/,
    `redirect_uri=${encodeURIComponent('https://example.com/api/oauth/callback/social')}`,
  )
  const answer = await ask('POST', page, form({ decision: 'deny' }))
  expect(answer.statusCode).toBe(404)
  expect(answer.headers.location).toBeUndefined()
})

test('requests without a session and from other sites are refused', async () => {
  const page = await pageOf(1)
  expect((await app.app.inject({ method: 'GET', url: page })).statusCode).toBe(401)
  const foreign = form({ decision: 'deny' })
  foreign.headers['sec-fetch-site'] = 'cross-site'
  expect((await ask('POST', page, foreign)).statusCode).toBe(403)
})

test('admins get the link to the sandbox’s page with its key, others do not', async () => {
  const { sandbox_page } = await app.admin.get(listPlatforms)
  expect(sandbox_page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sandbox\?key=\S{20,}$/)
  expect((await fetch(sandbox_page ?? '')).status).toBe(200)
  expect((await fetch((sandbox_page ?? '').replace(/key=.*/, 'key=guess'))).status).toBe(403)
  const member = await app.viewer('page', [])
  expect((await member.get(listPlatforms)).sandbox_page).toBeNull()
})
