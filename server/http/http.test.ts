import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { FAULTS } from '#contract/errors.ts'
import { createAssetFolder } from '#contract/folder.ts'
import { searchEverything } from '#contract/search.ts'
import { createCategory } from '#contract/tag.ts'
import { createToken, getConsole, getViewer } from '#contract/viewer.ts'
import { AppError } from '../errors.ts'
import { insertTags } from '../features/tag/store.ts'
import { anAdvertiser } from '../testing/builders.ts'
import { testApp } from '../testing/test-app.ts'
import { callerAddress, UNTRUSTED_FORWARD } from './caller-address.ts'
import { mayReadMetrics } from './health.ts'
import { mount } from './mount.ts'
import { isSameOrigin } from './origin.ts'
import { serve } from './serve.ts'
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
  // A GET of our page over plain http, and the same header sent by a page that is not ours.
  [{ 'x-renqun-page': '1', host: 'a.test' }, true],
  [{ 'x-renqun-page': '1', origin: 'http://evil.test', host: 'a.test' }, false],
  [{ 'x-renqun-page': '1', 'sec-fetch-site': 'cross-site', host: 'a.test' }, false],
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

const PUBLIC = 'https://console.test'
test.each([
  [PUBLIC, undefined, '127.0.0.1', '203.0.113.7', '203.0.113.7'],
  [PUBLIC, undefined, '198.51.100.1', '203.0.113.7', '198.51.100.1'],
  [PUBLIC, undefined, '10.0.0.5', '203.0.113.7', '10.0.0.5'],
  [PUBLIC, ['10.0.0.0/8'], '10.0.0.5', '203.0.113.7', '203.0.113.7'],
  // What a caller wrote into the header before the trusted proxies added theirs does not count.
  [PUBLIC, ['10.0.0.0/8'], '10.0.0.5', '192.0.2.1, 203.0.113.7, 10.0.0.9', '203.0.113.7'],
  [PUBLIC, ['10.0.0.0/8'], '127.0.0.1', '203.0.113.7', '127.0.0.1'],
  [undefined, undefined, '127.0.0.1', '203.0.113.7', '127.0.0.1'],
  // Some proxies write the port too, and some write what is no address.
  [PUBLIC, undefined, '127.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
  [PUBLIC, undefined, '127.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
  [PUBLIC, ['10.0.0.0/8'], '10.0.0.5', '203.0.113.7:4711, 10.0.0.9:52', '203.0.113.7'],
  [PUBLIC, undefined, '127.0.0.1', 'unknown', '127.0.0.1'],
])('with PUBLIC_URL %s and proxies %j, a call of %s for %s comes from %s', async (...given) => {
  const [publicUrl, trustedProxies, remoteAddress, forwarded, expected] = given
  const server = await openServer({
    ...{ host: '127.0.0.1', embedOrigins: [], webRoot: undefined, publicUrl },
    ...(trustedProxies ? { trustedProxies } : {}),
  })
  server.get('/address', async (request) => callerAddress(request))
  const answer = await server.inject({ url: '/address', remoteAddress, headers: { 'x-forwarded-for': forwarded } })
  expect(answer.body).toBe(expected)
  await server.close()
})

test('a peer that forwards without being trusted is named in the log once', async () => {
  const logged: { peer: string; msg: string }[] = []
  const server = await openServer({
    ...{ host: '127.0.0.1', embedOrigins: [], webRoot: undefined, publicUrl: PUBLIC },
    logTo: { write: (line) => void logged.push(JSON.parse(line)) },
  })
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  for (const remoteAddress of ['10.0.0.5', '127.0.0.1', '10.0.0.5', '10.0.0.6']) {
    await server.inject({ url: '/healthz', remoteAddress, headers })
  }
  await server.inject({ url: '/healthz', remoteAddress: '10.0.0.7' })
  expect(logged.map(({ peer, msg }) => [peer, msg])).toEqual([
    ['10.0.0.5', UNTRUSTED_FORWARD],
    ['10.0.0.6', UNTRUSTED_FORWARD],
  ])
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
  expect(answer).toMatchObject({ status: 400, msg: '参数「q」中有无法保存的字符' })
})

test.each([
  ['half a surrogate pair', '{"name":"\\ud800"}', '参数「name」中有无法保存的字符'],
  ['a NUL in a list', '{"name":"a","x":[{"y":"\\u0000"}]}', '参数「x.0.y」中有无法保存的字符'],
  ['such a key', '{"name":"a","x":{"\\udc00":1}}', '参数「x」中有无法保存的字符'],
  ['10,000 levels', `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, '请求内容嵌套层数过多，最多 200 层'],
])('a body with %s is refused before any handler reads it', async (_, payload, msg) => {
  const answer = await post({ 'sec-fetch-site': 'same-origin' }, payload)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 2, msg })
})

test.each([
  ['/api/upload/%', 'badUrl'],
  [`/api/people/${'1'.repeat(400)}`, 'urlTooLong'],
] as const)('a URL that the router cannot read is answered with an envelope: %.20s', async (url, fault) => {
  const answer = await app.app.inject({ url })
  expect(answer.statusCode).toBe(FAULTS[fault].status)
  expect(answer.json()).toMatchObject({ code: FAULTS[fault].code, msg: FAULTS[fault].msg })
})

test('answers of calls stay out of caches', async () => {
  const spelledOtherwise = getViewer.path.replace('/api/', '/%61pi/')
  for (const url of [getViewer.path, spelledOtherwise, '/api/nothing-here', '/api/upload/%']) {
    const { headers } = await app.app.inject({ url, headers: { cookie: app.admin.cookie } })
    expect(headers['cache-control']).toBe('no-store')
  }
})

test('calls are counted however their address is spelled', async () => {
  const server = await openServer({
    ...{ host: '127.0.0.1', embedOrigins: [], webRoot: undefined, publicUrl: undefined },
    callsPerMinute: 2,
  })
  server.get('/api/here', async () => ({ code: 0 }))
  const urls = ['/api/here', '/%61pi/here', '/ap%69/here']
  const statuses: number[] = []
  for (const url of urls) statuses.push((await server.inject({ url })).statusCode)
  expect(statuses).toEqual([200, 200, 429])
  await server.close()
})

/** What a server that waits 100 ms for a body answers to the bytes, until it closes the connection. */
async function answerTo(bytes: string): Promise<string> {
  const server = await openServer({
    host: '127.0.0.1',
    embedOrigins: [],
    webRoot: undefined,
    publicUrl: undefined,
    bodyStallMs: 100,
  })
  server.post('/api/here', async () => {
    // Takes longer than a body may stall.
    await new Promise((done) => setTimeout(done, 300))
    return { code: 0 }
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const caller = connect(port, '127.0.0.1', () => caller.write(bytes))
  let answer = ''
  for await (const part of caller.setEncoding('utf8')) answer += part
  await server.close()
  return answer
}

const HERE = 'POST /api/here HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
test.each([
  ['a body that stops arriving', `${HERE}content-length: 10\r\n\r\n{"a"`, 'bodyStalled'],
  ['headers that are too long', `${HERE}x: ${'x'.repeat(20_000)}\r\n\r\n`, 'headersTooLarge'],
  ['no HTTP', 'HELLO\r\n\r\n', 'unreadable'],
] as const)('%s is answered with an envelope, and the connection is closed', async (_, bytes, fault) => {
  const answer = await answerTo(bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${FAULTS[fault].status} `))
  expect(answer).toContain(FAULTS[fault].msg)
})

test('the connection of a call that was refused before its body was read is closed when no other call comes', async () => {
  const server = await openServer({ host: '127.0.0.1', embedOrigins: [], webRoot: undefined, publicUrl: undefined })
  server.server.keepAliveTimeout = 50
  const refuse = async () => {
    throw new AppError('signedOut')
  }
  server.post('/api/here', { onRequest: refuse }, async () => ({ code: 0 }))
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const caller = connect(port, '127.0.0.1', () => caller.write(`${HERE}content-length: 2\r\n\r\n{}`))
  let answer = ''
  for await (const part of caller.setEncoding('utf8')) answer += part
  expect(answer).toContain(FAULTS.signedOut.msg)
  await server.close()
})

test('a call may take longer than its body may stall', async () => {
  expect(await answerTo(`${HERE}connection: close\r\ncontent-length: 2\r\n\r\n{}`)).toContain('{"code":0}')
})

describe('a large answer', () => {
  const query = '/api/tree?adv_id='
  let url = ''
  beforeEach(async () => {
    const adv_id = await anAdvertiser(app)
    const { id: category_id } = await app.admin.get(createCategory, {
      body: { adv_id, name: '分类', icon: 'other', tag_type: 1 },
    })
    const definition = { kind: 'attribute', attribute: 'city', condition: { is: 'exists' } } as const
    const tags = Array.from({ length: 30 }, (_, n) => ({ adv_id, category_id, name: `标签 ${n}`, definition }))
    await insertTags(app.stores.postgres.db, tags)
    // The tag of everyone is counted meanwhile, which changes the answer.
    await app.settled()
    url = `${query}${adv_id}`
  })
  const get = (headers: Record<string, string>) =>
    app.app.inject({ url, headers: { cookie: app.admin.cookie, ...headers } })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is compressed with %s for a caller who takes it', async (encoding, unpack) => {
    const plain = await get({})
    const packed = await get({ 'accept-encoding': encoding })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(packed.headers['content-encoding']).toBe(encoding)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    expect(unpack(packed.rawPayload).toString()).toBe(plain.body)
    expect(String(packed.headers.vary)).toMatch(/accept-encoding/i)
  })

  test('that is asked for again is sent once, and kept for its viewer alone', async () => {
    const { headers } = await get({ 'accept-encoding': 'br' })
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(headers.vary).toMatch(/Cookie, Authorization/)
    const again = await get({ 'accept-encoding': 'br', 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
    expect((await get({ 'if-none-match': 'W/"another"' })).statusCode).toBe(200)
  })
})

test('an answer that holds a token is not compressed', async () => {
  expect(createToken.holdsSecret).toBe(true)
  const server = await openServer({ host: '127.0.0.1', embedOrigins: [], webRoot: undefined, publicUrl: undefined })
  const large = (path: `/${string}`, holdsSecret: boolean) => {
    const declared = { method: 'GET', path, group: '', summary: '', access: 'public', holdsSecret } as const
    return serve(endpoint({ ...declared, data: z.string() }), async () => 'x'.repeat(9000))
  }
  const { db } = app.stores.postgres
  mount(server, [large('/api/open', false), large('/api/secret', true)], { db, publicUrl: undefined })
  const encodingOf = async (url: string) =>
    (await server.inject({ url, headers: { 'accept-encoding': 'br' } })).headers['content-encoding']
  expect([await encodingOf('/api/open'), await encodingOf('/api/secret')]).toEqual(['br', undefined])
  await server.close()
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
