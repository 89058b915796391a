import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { createAssetFolder } from '#contract/folder.ts'
import { searchEverything } from '#contract/search.ts'
import { createToken, getConsole, getViewer } from '#contract/viewer.ts'
import { testApp } from '../testing/test-app.ts'
import { mayReadMetrics } from './health.ts'
import { isSameOrigin } from './origin.ts'
import { openServer } from './server.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

const post = (headers: Record<string, string>, payload: unknown = { name: '甲' }) =>
  app.app.inject({
    method: 'POST',
    url: createAssetFolder.path,
    headers: { cookie: app.admin.cookie, 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })

test.each([
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'same-origin', origin: 'http://a.test', host: 'a.test' }, true],
  [{ origin: 'http://a.test:3000', host: 'a.test:3000' }, true],
  [{ origin: 'https://console.test', host: 'inner:3000' }, true],
  [{ 'sec-fetch-site': 'cross-site', origin: 'http://a.test', host: 'a.test' }, false],
  [{ 'sec-fetch-site': 'same-site' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ 'sec-fetch-site': 'same-origin', origin: 'http://evil.test', host: 'a.test' }, false],
  [{ origin: 'null', host: 'a.test' }, false],
  [{ host: 'a.test' }, false],
])('headers %j are from our own page: %s', (headers, expected) => {
  expect(isSameOrigin({ headers }, 'https://console.test')).toBe(expected)
})

test('a bearer token needs no origin', async () => {
  const { token } = await app.admin.get(createToken, { body: { name: 't' } })
  expect((await post({ authorization: `Bearer ${token}`, cookie: '' })).json().code).toBe(0)
})

test.each([
  ['broken JSON', '{"name":', 400, '请求内容无法解析'],
  ['too much', JSON.stringify({ name: 'a'.repeat(3_000_000) }), 413, '请求内容过大'],
  ['another shape', '{"name":5}', 400, '请输入文件夹名称'],
  ['a body that is no object', '[]', 400, '请求内容应为对象'],
])('%s is answered with an envelope', async (_, payload, status, msg) => {
  const answer = await post({ 'sec-fetch-site': 'same-origin' }, payload)
  expect(answer.statusCode).toBe(status)
  expect(answer.json()).toMatchObject({ code: expect.any(Number), msg })
})

test.each([
  ['https://console.test', '127.0.0.1', '203.0.113.7'],
  ['https://console.test', '198.51.100.1', '198.51.100.1'],
  [undefined, '127.0.0.1', '127.0.0.1'],
])('with PUBLIC_URL %s, what %s forwards comes from %s', async (publicUrl, remoteAddress, expected) => {
  const server = await openServer({ host: '127.0.0.1', embedOrigins: [], webRoot: undefined, publicUrl })
  server.get('/address', async (request) => request.ip)
  const answer = await server.inject({ url: '/address', remoteAddress, headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect(answer.body).toBe(expected)
  await server.close()
})

test.each([
  ['/api/tag/list', '参数「adv_id」不能缺少'],
  ['/api/tag/list?adv_id=x', '参数「adv_id」应为数字'],
  ['/api/import/x', '参数「id」应为数字'],
])('a wrong number in %s is refused with: %s', async (url, msg) => {
  const answer = await app.app.inject({ url, headers: { cookie: app.admin.cookie } })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 2, msg, outcome: { code: 'input_refused', params: { text: msg } } })
})

test('a caller who disconnects before the call is read causes no error', async () => {
  const server = await openServer({
    host: '127.0.0.1',
    embedOrigins: [],
    webRoot: undefined,
    publicUrl: undefined,
    logLevel: 'silent',
  })
  const answered: unknown[] = []
  server.get('/api/here', async ({ ip }) => answered.push(ip))
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  for (let at = 0; at < 20 && answered.length === 0; at++) {
    const caller = connect(port, '127.0.0.1', () => {
      caller.write('GET /api/here HTTP/1.1\r\nhost: localhost\r\n\r\n')
      caller.resetAndDestroy()
    })
    await once(caller, 'close')
    await new Promise((done) => setTimeout(done, 5))
  }
  expect(answered[0]).toBeUndefined()
  expect(answered).toHaveLength(1)
  await server.close()
})

test('a character that cannot be stored is refused as the caller’s mistake', async () => {
  const answer = await app.admin.call(searchEverything, { query: { q: 'a\0b' } })
  expect(answer).toMatchObject({ status: 400, msg: '内容中有无法保存的字符' })
})

test('an unknown call is answered with an envelope', async () => {
  const answer = await app.app.inject({ url: '/api/nothing-here' })
  expect(answer.statusCode).toBe(404)
  const outcome = { code: 'fault', params: { fault: 'noSuchCall', words: {} } }
  expect(answer.json()).toEqual({ code: 9, msg: '接口不存在', data: null, outcome })
})

test('pages cannot be framed, and run only our own scripts', async () => {
  const { headers } = await app.app.inject({ url: getConsole.path })
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('health, readiness and metrics answer without signing in', async () => {
  await app.app.inject({ url: getViewer.path })
  expect((await app.app.inject({ url: '/healthz' })).json()).toEqual({ ok: true })
  expect((await app.app.inject({ url: '/readyz' })).json()).toEqual({ ok: true })
  expect((await app.app.inject({ url: '/metrics' })).body).toContain(
    'renqun_http_seconds_count{method="GET",route="/api/viewer"',
  )
})

const METRICS_TOKEN = 'a-token-for-the-metrics'
test.each([
  ['127.0.0.1', {}, undefined, true],
  ['::1', {}, undefined, true],
  ['::ffff:127.0.0.1', {}, undefined, true],
  ['203.0.113.7', {}, undefined, false],
  ['203.0.113.7', { authorization: `Bearer ${METRICS_TOKEN}` }, undefined, true],
  ['203.0.113.7', { authorization: 'Bearer something-else' }, undefined, false],
  ['127.0.0.1', { authorization: 'Bearer something-else' }, undefined, false],
  ['127.0.0.1', { 'x-forwarded-for': '203.0.113.7' }, undefined, false],
  ['127.0.0.1', {}, 'https://console.test', false],
  ['127.0.0.1', { authorization: `Bearer ${METRICS_TOKEN}` }, 'https://console.test', true],
])('%s with %j, PUBLIC_URL %s, reads the metrics: %s', (remoteAddress, headers, publicUrl, expected) => {
  const request = { headers, socket: { remoteAddress } } as Parameters<typeof mayReadMetrics>[0]
  expect(mayReadMetrics(request, METRICS_TOKEN, publicUrl)).toBe(expected)
})

test('without METRICS_TOKEN no token reads the metrics, and another machine is told to set it', async () => {
  for (const headers of [{}, { authorization: 'Bearer undefined' }]) {
    const answer = await app.app.inject({ url: '/metrics', remoteAddress: '203.0.113.7', headers })
    expect(answer.json()).toMatchObject({ code: FAULTS.metricsClosed.code, msg: FAULTS.metricsClosed.msg })
    expect(answer.statusCode).toBe(403)
  }
})

test('an internal error is answered with 请求失败 and no details', async () => {
  const { db } = app.stores.postgres
  await db.schema.alterTable('asset_folder').renameTo('asset_folder_away').execute()
  try {
    const answer = await post({ 'sec-fetch-site': 'same-origin' })
    expect(answer.statusCode).toBe(500)
    const outcome = { code: 'fault', params: { fault: 'failed', words: {} } }
    expect(answer.json()).toEqual({ code: 1, msg: '请求失败', data: null, outcome })
  } finally {
    await db.schema.alterTable('asset_folder_away').renameTo('asset_folder').execute()
  }
})
