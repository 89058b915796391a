import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { listWriteKeys, revokeWriteKey } from '#contract/tracking.ts'
import { BATCH_BYTES_MAX, BATCH_MESSAGES_MAX } from '#contract/tracking-message.ts'
import { EngineError } from '../../clickhouse/engine-error.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { aWriteKey, track } from '../../testing/tracking.ts'
import { keylessCalls, keyRates, strangers } from './rate.ts'

const app = await testApp({ TRACKING_RATE: '1000' })
afterAll(() => app.close())
beforeEach(() => app.reset())

const EVENT = { type: 'track', event: '支付', userId: 'u1' }
const stored = async () => {
  const [row] = await app.stores.warehouse.live.acrossShards.query<{ n: number }>(
    'SELECT count() AS n FROM track_message',
  )
  return row?.n
}

test('one bad message of a batch is refused alone, with its reason', async () => {
  const key = await aWriteKey(app, await anAdvertiser(app))
  const batch = [
    { ...EVENT, messageId: 'm0' },
    'text',
    { ...EVENT, properties: { a: '\ud800' }, messageId: 'm2' },
    EVENT,
  ]
  const answer = await track(app, '/v1/batch', key, JSON.stringify({ batch }))
  expect(answer).toMatchObject({ status: 200, code: 0, data: { accepted: 2 } })
  expect(answer.data.refused).toMatchObject([
    { index: 1, message_id: '', outcome: { code: 'track_not_an_object' }, reason: '消息不是 JSON 对象' },
    { index: 2, message_id: 'm2', outcome: { code: 'input_not_text' } },
  ])
  expect(await stored()).toBe(2)
  expect(await track(app, '/v1/track', key, { event: '' })).toMatchObject({
    status: 400,
    code: FAULTS.trackingRefused.code,
  })
  await app.settled()
})

test.each<[string, unknown, number, Record<string, string>?]>([
  ['no JSON', '{"batch":[', 400],
  ['no object', '[]', 400],
  ['no list', { batch: {} }, 400],
  ['nothing', '', 400],
  ['too many messages', { batch: Array.from({ length: BATCH_MESSAGES_MAX + 1 }, () => EVENT) }, 400],
  ['more than 500 KB', { batch: [{ ...EVENT, properties: { a: 'x'.repeat(BATCH_BYTES_MAX) } }] }, 413],
  [
    'more than 500 KB when unpacked',
    gzipSync(JSON.stringify({ batch: [], more: 'x'.repeat(BATCH_BYTES_MAX) })),
    413,
    { 'content-encoding': 'gzip' },
  ],
  ['no gzip', Buffer.from('{"batch":[]}'), 400, { 'content-encoding': 'gzip' }],
  ['text of another encoding', Buffer.from([...Buffer.from('{"batch":[],"a":"'), 0xd5, 0xc5, 0x22, 0x7d]), 400],
  ['another packing', Buffer.from('{"batch":[]}'), 400, { 'content-encoding': 'br' }],
])('a body with %s is refused', async (_, body, status, headers) => {
  const key = await aWriteKey(app, await anAdvertiser(app))
  expect(await track(app, '/v1/batch', key, body, headers)).toMatchObject({ status })
  expect(await stored()).toBe(0)
  // As every answer, so that a page's script can read it.
  expect((await track(app, '/v1/batch', key, body, headers)).headers['access-control-allow-origin']).toBe('*')
})

test('what browsers send is taken: the key in the body, as text/plain, packed or not', async () => {
  const key = await aWriteKey(app, await anAdvertiser(app), 'page')
  const plain = { 'content-type': 'text/plain' }
  for (const [path, more] of Object.entries({
    t: {},
    p: { name: '首页' },
    s: { name: '首页' },
    i: { traits: { a: 1 } },
    g: { groupId: 'g' },
  })) {
    const body = { writeKey: key, event: '支付', anonymousId: 'd1', ...more }
    expect(await track(app, `/v1/${path}`, null, JSON.stringify(body), plain)).toMatchObject({ status: 200 })
  }
  const batch = gzipSync(JSON.stringify({ writeKey: key, batch: [EVENT], sentAt: new Date() }))
  expect(await track(app, '/v1/b', null, batch, { ...plain, 'content-encoding': 'gzip' })).toMatchObject({
    status: 200,
  })
  const alias = { writeKey: key, userId: 'u1', previousId: 'd1' }
  expect(await track(app, '/v1/a', null, alias)).toMatchObject({
    status: 400,
    msg: expect.stringContaining('网页密钥'),
  })
  expect(await stored()).toBe(6)
  await app.settled()
})

test('any page may make the tracking calls, and no other call', async () => {
  const key = await aWriteKey(app, await anAdvertiser(app), 'page')
  const ask = (url: string) =>
    app.app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin: 'https://shop.example.com', 'access-control-request-method': 'POST' },
    })
  const allowed = await ask('/v1/t')
  expect([allowed.statusCode, allowed.headers['access-control-allow-origin']]).toEqual([204, '*'])
  expect(allowed.headers['access-control-allow-credentials']).toBeUndefined()
  expect(allowed.headers['access-control-expose-headers']).toBe('Retry-After')
  for (const url of ['/api/import', '/api/login', '/api/write_key']) {
    const refused = await ask(url)
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([404, undefined])
  }
  const settings = await app.app.inject({ url: `/v1/projects/${key}/settings`, headers: { host: '127.0.0.1:3000' } })
  expect(settings.json()).toMatchObject({
    integrations: { 'Segment.io': { apiKey: key, apiHost: '127.0.0.1:3000/v1', protocol: 'http' } },
    metrics: { sampleRate: 0 },
  })
  expect(settings.headers['access-control-allow-origin']).toBe('*')
  expect((await app.app.inject({ url: '/v1/projects/none/settings' })).statusCode).toBe(401)
})

test('an unknown key is refused, and a revoked one at once, though it was used just before', async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  for (const wrong of ['', 'rqw_unknown'])
    expect(await track(app, '/v1/track', wrong, EVENT)).toMatchObject({ status: 401 })
  expect(await track(app, '/v1/track', key, EVENT)).toMatchObject({ status: 200 })
  const { list } = await app.admin.get(listWriteKeys, { query: { adv_id } })
  await app.admin.get(revokeWriteKey, { params: { id: list[0]?.id ?? 0 } })
  expect(await track(app, '/v1/track', key, EVENT)).toMatchObject({ status: 401 })
  expect(await track(app, '/v1/batch', key, { batch: [] })).toMatchObject({ status: 401 })
  expect(await stored()).toBe(1)
  await app.settled()
})

test('a revoked key gets no settings: at once from the process that revoked it, within a second or two from another', async () => {
  const adv_id = await anAdvertiser(app)
  const { db } = app.stores.postgres
  const settings = async (key: string) => (await app.app.inject({ url: `/v1/projects/${key}/settings` })).statusCode
  const [here, elsewhere] = [await aWriteKey(app, adv_id, 'page'), await aWriteKey(app, adv_id, 'page')]
  // Calls at the same time share one look-up.
  const asked = vi.spyOn(db, 'selectFrom')
  expect(await Promise.all([here, here, here].map(settings))).toEqual([200, 200, 200])
  expect(asked.mock.calls.filter(([table]) => String(table) === 'write_key')).toHaveLength(1)
  asked.mockRestore()
  const { list } = await app.admin.get(listWriteKeys, { query: { adv_id } })
  await app.admin.get(revokeWriteKey, { params: { id: list[0]?.id ?? 0 } })
  expect(await settings(here)).toBe(401)

  expect(await settings(elsewhere)).toBe(200)
  await db
    .updateTable('write_key')
    .set({ revoked_at: 1 })
    .where('id', '=', list[1]?.id ?? 0)
    .execute()
  await expect.poll(() => settings(elsewhere), { timeout: 2000 }).toBe(401)
})

test('a key that sends too fast is told when to go on; another key is not', async () => {
  const adv_id = await anAdvertiser(app)
  const [key, other] = [await aWriteKey(app, adv_id), await aWriteKey(app, adv_id)]
  const batch = Array.from({ length: 1000 }, () => EVENT)
  const answers = await Promise.all([1, 2, 3, 4].map(() => track(app, '/v1/batch', key, { batch })))
  const slow = answers.filter(({ status }) => status === 429)
  expect(slow.length).toBeGreaterThan(0)
  expect(Number(slow[0]?.retryAfter)).toBeGreaterThan(0)
  expect(await track(app, '/v1/batch', other, { batch: [EVENT] })).toMatchObject({ status: 200 })
  expect(await stored()).toBe((4 - slow.length) * 1000 + 1)
  await app.settled()
})

test('calls that arrive while one is stored are stored together, each answered after it', async () => {
  const adv_id = await anAdvertiser(app)
  const [key, other] = [await aWriteKey(app, adv_id), await aWriteKey(app, await anAdvertiser(app))]
  const insert = vi.spyOn(app.stores.warehouse.intake.oneNode, 'insert')
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      track(app, '/v1/track', at % 2 ? key : other, { ...EVENT, userId: `u${at}` }),
    ),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(insert.mock.calls.length).toBeLessThan(20)
  insert.mockRestore()
  expect(await stored()).toBe(40)
  await app.settled()
})

test('nothing is acknowledged that was not stored, and what is too much to wait is refused for now', async () => {
  const key = await aWriteKey(app, await anAdvertiser(app))
  const insert = vi.spyOn(app.stores.warehouse.intake.oneNode, 'insert')
  insert.mockRejectedValueOnce(new EngineError('away', 'connection refused'))
  expect(await track(app, '/v1/track', key, EVENT)).toMatchObject({
    status: 503,
    retryAfter: '1',
    code: FAULTS.warehouseAway.code,
  })
  expect(await stored()).toBe(0)
  // Each call is small enough, all of them are not.
  const { promise, resolve } = Promise.withResolvers<void>()
  insert.mockImplementation(() => promise)
  const message = {
    messageId: 'm',
    kind: 'track',
    event: 'e',
    user_id: 'u',
    anonymous_id: '',
    previous_id: '',
    title: '',
    ts: 1,
    properties: {},
  } as const
  const found = await app.services.trackingCalls.keyOf(key)
  if (!found) throw new Error('the key exists')
  const arrived = {
    key: found,
    received: 1,
    bytes: 1,
    messages: Array.from({ length: 60_000 }, () => ({ ...message, message_id: 'm' })),
  }
  const first = app.services.trackingCalls.accept(arrived)
  await expect(app.services.trackingCalls.accept(arrived)).rejects.toMatchObject({ fault: 'trackingFull', status: 503 })
  resolve()
  await first
  insert.mockRestore()
  await app.settled()
})

test('what waits is bounded by what is stored: a name that many values repeat counts with each', async () => {
  const key = await aWriteKey(app, await anAdvertiser(app))
  const insert = vi.spyOn(app.stores.warehouse.intake.oneNode, 'insert')
  const { promise, resolve } = Promise.withResolvers<void>()
  insert.mockImplementation(() => promise)
  // 300 KB of a call become 6 MB.
  const values = Object.fromEntries(Array.from({ length: 300 }, (_, no) => [`k${no}`, 1]))
  const batch = Array.from({ length: 100 }, () => ({ ...EVENT, properties: { ['x'.repeat(190)]: values } }))
  const body = JSON.stringify({ batch })
  expect(body.length).toBeLessThan(BATCH_BYTES_MAX)
  const calls = Array.from({ length: 14 }, () => track(app, '/v1/batch', key, body))
  const first = await Promise.race(calls)
  resolve()
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(first).toMatchObject({ status: 503, code: FAULTS.trackingFull.code })
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(11)
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(3)
  // No insert is larger than a group.
  for (const [, rows] of insert.mock.calls) expect(JSON.stringify(rows).length).toBeLessThan(20 * 1024 ** 2)
  insert.mockRestore()
  await app.settled()
})

/** A call from an address of its own, so that its limits are no other test's. */
const from = (remoteAddress: string, key: string | null, payload: string | Buffer, headers = {}) =>
  app.app.inject({
    method: 'POST',
    url: '/v1/batch',
    remoteAddress,
    headers: {
      'content-type': 'text/plain',
      ...(key === null ? {} : { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
      ...headers,
    },
    payload,
  })

test('who tries many unknown keys waits, and none of them is looked up; keys that were good go on', async () => {
  const adv_id = await anAdvertiser(app)
  const [used, unused] = [await aWriteKey(app, adv_id), await aWriteKey(app, adv_id)]
  const address = '198.51.100.7'
  const body = JSON.stringify({ batch: [EVENT] })
  expect((await from(address, used, body)).statusCode).toBe(200)
  for (let no = 0; no < 60; no++) expect((await from(address, `rqw_${no}`, body)).statusCode).toBe(401)
  // The key is no longer known without a look-up.
  await pause(1100)
  const asked = vi.spyOn(app.stores.postgres.db, 'selectFrom')
  for (const key of ['rqw_more', unused]) {
    const answer = await from(address, key, body)
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '60'])
  }
  expect(asked.mock.calls.filter(([table]) => String(table) === 'write_key')).toEqual([])
  asked.mockRestore()
  expect((await from(address, used, body)).statusCode).toBe(200)
  expect((await from('198.51.100.8', unused, body)).statusCode).toBe(200)
  await app.settled()
})

test('an address whose calls bring no good key has them unpacked so often, whatever they are', async () => {
  const key = await aWriteKey(app, await anAdvertiser(app))
  const address = '198.51.100.9'
  const bodies = [
    gzipSync(JSON.stringify({ writeKey: 'rqw_always_the_same', batch: [] })),
    gzipSync('no JSON'),
    Buffer.from('no gzip'),
  ]
  const gzip = { 'content-encoding': 'gzip' }
  const statuses = new Set<number>()
  for (let no = 0; no < 600; no++)
    statuses.add((await from(address, null, bodies[no % bodies.length] ?? '', gzip)).statusCode)
  expect([...statuses].sort()).toEqual([400, 401])
  const waits = await from(address, null, 'no gzip', gzip)
  expect([waits.statusCode, waits.headers['retry-after']]).toEqual([429, '60'])
  // A key in the header is known before anything is unpacked.
  expect((await from(address, key, JSON.stringify({ batch: [EVENT] }))).statusCode).toBe(200)
  expect((await from('198.51.100.10', null, 'no gzip', gzip)).statusCode).toBe(400)
  await app.settled()
})

test.each<[string, (key: string) => Parameters<typeof from>]>([
  ['empty batches', (key) => ['198.51.100.11', key, '{"batch":[]}']],
  ['empty batches with the key in the body', (key) => ['198.51.100.11', null, `{"batch":[],"writeKey":"${key}"}`]],
  ['unreadable bodies', (key) => ['198.51.100.11', key, 'no gzip', { 'content-encoding': 'gzip' }]],
])('%s take of the rate of their key', async (_, call) => {
  const key = await aWriteKey(app, await anAdvertiser(app))
  const found = await app.services.trackingCalls.keyOf(key)
  expect(found).not.toBeNull()
  const codes = async (calls: number): Promise<number[]> =>
    (await Promise.all(Array.from({ length: calls }, () => from(...call(key))))).map((answer) => answer.json().code)
  const TOO_FAST = FAULTS.trackingTooFast.code
  // Nothing is refilled while the clock stands, however slow the calls are.
  let at = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => at)
  // The rate of a thousand a second holds two thousand.
  expect(await codes(2001)).toContain(TOO_FAST)
  // Part of one may have been left: a hundred more let through a hundred calls and no second one beyond.
  at += 100
  expect(await codes(99)).not.toContain(TOO_FAST)
  expect(await codes(2)).toContain(TOO_FAST)
  vi.restoreAllMocks()
  await app.settled()
})

test('a rate fills evenly, and one wrong key counts once', () => {
  let at = 0
  const rates = keyRates(100, () => at)
  expect([rates.take(1, 150), rates.take(1, 50), rates.take(1, 1), rates.take(2, 1)]).toEqual([null, null, 1, null])
  at = 500
  expect([rates.take(1, 51), rates.take(1, 50)]).toEqual([1, null])
  // More than ever fits waits for a full bucket.
  at = 10_000
  expect([rates.take(1, 1000), rates.take(1, 1)]).toEqual([null, expect.any(Number)])
  // A call that has taken one waits for what a full bucket has beyond.
  const slow = keyRates(1, () => at)
  expect([slow.take(1, 1), slow.take(1, 999, 1), slow.take(1, 1), slow.take(1, 999, 1)]).toEqual([
    null,
    null,
    999,
    1000,
  ])
  const keyless = keylessCalls(2, () => at)
  for (const address of ['1.1.1.1', '1.1.1.1', '2.2.2.2']) keyless.count(address)
  expect([keyless.isTooMany('1.1.1.1'), keyless.isTooMany('2.2.2.2')]).toEqual([true, false])
  const unknown = strangers(2, () => at)
  for (const key of ['a', 'a', 'a']) unknown.count('1.1.1.1', key)
  expect([unknown.isTooMany('1.1.1.1'), unknown.isKnown('1.1.1.1', 'a')]).toEqual([false, true])
  unknown.count('1.1.1.1', 'b')
  expect([unknown.isTooMany('1.1.1.1'), unknown.isTooMany('2.2.2.2')]).toEqual([true, false])
  at += 60_000
  expect([unknown.isTooMany('1.1.1.1'), keyless.isTooMany('1.1.1.1')]).toEqual([false, false])
})

test('somebody with many addresses does not end the counts of all', () => {
  const keyless = keylessCalls(1)
  const many = Array.from({ length: 10_001 }, (_, no) => `10.0.${no >> 8}.${no & 255}`)
  for (const address of many) keyless.count(address)
  expect([
    keyless.isTooMany(many[0] ?? ''),
    keyless.isTooMany(many[1] ?? ''),
    keyless.isTooMany(many.at(-1) ?? ''),
  ]).toEqual([false, true, true])
})
