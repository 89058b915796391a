import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { getImport, listImports, startImport } from '#contract/import.ts'
import { EVENT_TAG, getTagTree } from '#contract/tag.ts'
import { listFields } from '#contract/tag-field.ts'
import { listLately } from '#contract/tracking.ts'
import { attributeValuesSql } from '../../clickhouse/person-sql.ts'
import { offered } from '../../ingest/tracking/load-messages.ts'
import { traitsKept } from '../../ingest/tracking/load-traits.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { silent } from '../../testing/jobs.ts'
import { testApp } from '../../testing/test-app.ts'
import { aWriteKey, countedEvents, failOnce, people, track } from '../../testing/tracking.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

const event = (no: number, more: object = {}) => ({
  type: 'track',
  event: '支付',
  userId: `u${no}`,
  messageId: `m${no}`,
  ...more,
})
const { acrossShards: engine } = app.stores.warehouse.live
const tagCounts = async (adv_id: number) => {
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: EVENT_TAG } })
  return Object.fromEntries(data.flatMap((category) => category.group ?? []).map(({ tag, count }) => [tag, count]))
}

/** The city of each person. */
async function values(adv_id: number): Promise<[string, string][]> {
  const { slot } = await app.stores.postgres.db
    .selectFrom('attribute')
    .select('slot')
    .where('adv_id', '=', adv_id)
    .where('name', '=', 'city')
    .executeTakeFirstOrThrow()
  const rows = await engine.query<{ one_id: string; value: string }>(
    `SELECT one_id, value FROM person_key AS k INNER JOIN ${attributeValuesSql(slot)} AS v USING (uid)
     WHERE adv_id = {adv_id:UInt32} ORDER BY one_id`,
    { adv_id },
  )
  return rows.map(({ one_id, value }) => [one_id, value])
}

test('events are counted by tags seconds after they were acknowledged, and no list of imports or tasks shows them', async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  await app.settled()
  const { db } = app.stores.postgres
  const before = await db.selectFrom('task').select('id').execute()
  const began = performance.now()
  await track(app, '/v1/batch', key, { batch: [event(1, { properties: { amount: 3, campaign_id: 'c7' } }), event(2)] })
  await expect.poll(() => tagCounts(adv_id), { timeout: 15_000 }).toEqual({ 做过支付: 2 })
  expect(performance.now() - began).toBeLessThan(10_000)
  await app.settled()
  expect(await engine.query('SELECT campaign_id, properties FROM event ORDER BY uid')).toEqual([
    { campaign_id: 'c7', properties: { amount: '3', campaign_id: 'c7' } },
    { campaign_id: '', properties: {} },
  ])
  const { events } = await app.admin.get(listFields, { query: { adv_id } })
  expect(events).toMatchObject([{ name: '支付', properties: ['amount', 'campaign_id'] }])
  expect(await app.admin.get(listImports, { query: { adv_id } })).toMatchObject({ total: 0, list: [] })
  const { id } = await db.selectFrom('import').select('id').executeTakeFirstOrThrow()
  expect(await app.admin.call(getImport, { params: { id } })).toMatchObject({ status: 404 })
  expect(await db.selectFrom('task').select('id').execute()).toEqual(before)
})

test('a message id counts once: in a batch, in two batches, in two calls at once, and after it was counted', async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  await track(app, '/v1/batch', key, { batch: [event(1), event(1), event(2)] })
  await Promise.all([1, 2, 3].map(() => track(app, '/v1/batch', key, { batch: [event(2), event(3)] })))
  await app.settled()
  // A repeat changes nothing, whatever else it says.
  await track(app, '/v1/batch', key, { batch: [event(3, { event: '退款', userId: 'u9' }), event(4)] })
  await app.settled()
  expect(await countedEvents(app, adv_id)).toEqual({ 支付: [4, 4] })
  expect(Object.keys(await people(app, adv_id))).toEqual(['u1', 'u2', 'u3', 'u4'])
})

test("what is told of a person is not lost to another message's id, and repeats change nothing", async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  const page = await aWriteKey(app, adv_id, 'page')
  const told = (userId: string, city: string) => ({ userId, messageId: 'profile-9', traits: { city } })
  await track(app, '/v1/identify', page, { anonymousId: 'junk', messageId: 'profile-9', traits: { city: '假' } })
  await track(app, '/v1/identify', key, told('u1', '上海'))
  await track(app, '/v1/identify', key, told('u1', '上海'))
  await track(app, '/v1/identify', key, told('u2', '北京'))
  await app.settled()
  const known = Object.fromEntries(await values(adv_id))
  expect(known).toMatchObject({ u1: '上海', u2: '北京' })
})

test('an id that a file brought is a duplicate in a call, and the other way round', async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  const importFile = async (name: string, text: string) => {
    const upload_id = await uploadTo(app, app.admin, text, name)
    const mapping = { kind: 'events' as const, id: 'id', event: 'event', time: 'time', message_id: 'no', skip: [] }
    const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
    await app.settled()
    return app.admin.get(getImport, { params: { id } })
  }
  await importFile('a.csv', 'id,event,time,no\nu1,支付,2026-01-01 10:00:00,m1\n')
  await track(app, '/v1/batch', key, { batch: [event(1), event(2)] })
  await app.settled()
  expect(await countedEvents(app, adv_id)).toEqual({ 支付: [2, 2] })
  const row = await importFile(
    'b.csv',
    'id,event,time,no\nu1,支付,2026-01-01 10:00:00,m2\nu3,支付,2026-01-02 10:00:00,m3\n',
  )
  expect(row.report).toMatchObject({ stored: 1, duplicate: 1 })
  expect(await countedEvents(app, adv_id)).toEqual({ 支付: [3, 3] })
})

test("late events land on their own day, and each advertiser's on its own people", async () => {
  const [adv_id, other] = [await anAdvertiser(app), await anAdvertiser(app)]
  const [key, others] = [await aWriteKey(app, adv_id), await aWriteKey(app, other)]
  const sentAt = new Date().toISOString()
  // 00:30 and 23:30 of one day in Shanghai.
  const batch = [event(1, { timestamp: '2026-03-04T16:30:00Z' }), event(2, { timestamp: '2026-03-05T15:30:00Z' })]
  await Promise.all([
    track(app, '/v1/batch', key, { batch, sentAt }),
    track(app, '/v1/batch', others, { batch: [event(1)] }),
  ])
  await app.settled()
  const rows = await engine.query<{ adv_id: number; day: string; n: number }>(
    'SELECT adv_id, toString(day) AS day, sum(n) AS n FROM event_day GROUP BY adv_id, day ORDER BY adv_id, day',
  )
  expect(rows.filter((row) => row.adv_id === adv_id)).toEqual([{ adv_id, day: '2026-03-05', n: 2 }])
  expect(rows.filter((row) => row.adv_id === other)).toMatchObject([{ n: 1 }])
})

test.each<[RegExp, 'before' | 'after']>([
  [/INSERT INTO import_\d+_event /, 'after'],
  [/ALTER TABLE person_key ATTACH/, 'before'],
  [/ALTER TABLE event ATTACH/, 'after'],
  [/ALTER TABLE event_day ATTACH/, 'after'],
  [/ALTER TABLE person_row ATTACH/, 'after'],
])('a run that is killed at %s, %s it, counts every message once', async (statement, when) => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  silent()
  const hasFailed = failOnce(app, statement, when)
  await track(app, '/v1/batch', key, { batch: [event(1), event(2), event(2)] })
  await track(app, '/v1/identify', key, { userId: 'u1', traits: { city: '北京' }, messageId: 'i1' })
  await app.settled()
  expect(hasFailed()).toBe(true)
  vi.restoreAllMocks()
  expect(await countedEvents(app, adv_id)).toEqual({ 支付: [2, 2] })
  expect(await tagCounts(adv_id)).toEqual({ 做过支付: 2 })
  expect(await values(adv_id)).toEqual([['u1', '北京']])
  const rows = await app.stores.postgres.db.selectFrom('import').select(['status', 'state']).execute()
  expect(rows.every(({ status, state }) => status === 'done' && state === null)).toBe(true)
})

test('messages that a stopped process left are counted at the next start, and failed imports are sent again', async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  const send = vi.spyOn(app.stores.jobs, 'send').mockRejectedValueOnce(new Error('killed'))
  silent()
  // Acknowledged all the same: they are stored.
  expect(await track(app, '/v1/batch', key, { batch: [event(1)] })).toMatchObject({ status: 200 })
  send.mockRestore()
  await app.settled()
  expect(await countedEvents(app, adv_id)).toEqual({})
  await app.services.tracking.catchUp()
  await app.settled()
  expect(await countedEvents(app, adv_id)).toEqual({ 支付: [1, 1] })

  const { load } = app.stores.warehouse
  const command = load.acrossShards.command.bind(load.acrossShards)
  const failing = vi.spyOn(load.acrossShards, 'command').mockImplementation(async (sql, ...rest) => {
    if (/_chunk0/.test(sql)) throw new Error('broken')
    return command(sql, ...rest)
  })
  await track(app, '/v1/batch', key, { batch: [event(2)] })
  await app.settled()
  failing.mockRestore()
  const { db } = app.stores.postgres
  expect(await db.selectFrom('import').select('status').orderBy('id', 'desc').limit(1).execute()).toEqual([
    { status: 'failed' },
  ])
  await db.updateTable('import').set({ finished_at: 1 }).where('status', '=', 'failed').execute()
  await app.services.tracking.tidy()
  await app.settled()
  expect(await countedEvents(app, adv_id)).toEqual({ 支付: [2, 2] })
  vi.restoreAllMocks()
})

test('messages are removed a while after they were counted, and only then', async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  const { db } = app.stores.postgres
  const left = async () =>
    [
      await engine.query('SELECT message_id FROM track_message'),
      await db.selectFrom('tracking_batch').select('batch').execute(),
    ].map((rows) => rows.length)
  await track(app, '/v1/batch', key, { batch: [event(1)] })
  await track(app, '/v1/identify', key, { userId: 'u1', traits: { a: 1 } })
  await app.settled()
  await app.services.tracking.tidy()
  expect(await left()).toEqual([2, 2])
  await db.updateTable('import').set({ finished_at: 1 }).where('kind', '=', 'events').execute()
  await app.services.tracking.tidy()
  expect(await left()).toEqual([0, 0])
  expect(await countedEvents(app, adv_id)).toEqual({ 支付: [1, 1] })
  // Its imports are forgotten later.
  await app.services.tracking.tidy()
  expect(await db.selectFrom('import').select('kind').execute()).toEqual([{ kind: 'users' }])
})

test('properties beyond the bound are kept with their events, and it is said that tags do not have them', async () => {
  const known = [{ name: '支付', properties: Array.from({ length: 999 }, (_, no) => `p${no}`) }]
  const found = [
    { name: '支付', rows: 3, keys: ['p1', 'x1', 'x2'] },
    { name: '退款', rows: 2, keys: ['x1'] },
  ]
  const byServers = { events: new Set(['支付', '退款']), properties: new Set(['x1', 'x2']) }
  expect(offered(known, found, byServers)).toEqual({
    events: [
      { name: '支付', properties: ['p1', 'x1'] },
      { name: '退款', properties: ['x1'] },
    ],
    warnings: [{ outcome: { code: 'track_properties_full', params: { max: 1000 } }, rows: 3 }],
  })
  // The key of a page brings no new ones where half of them are there.
  const half = [{ name: '支付', properties: Array.from({ length: 500 }, (_, no) => `p${no}`) }]
  expect(offered(half, found, { events: new Set(), properties: new Set(['x1']) })).toEqual({
    events: [
      { name: '支付', properties: ['p1', 'x1'] },
      { name: '退款', properties: ['x1'] },
    ],
    warnings: [{ outcome: { code: 'track_properties_full', params: { max: 500 } }, rows: 3 }],
  })
  const events = Array.from({ length: 1000 }, (_, no) => ({ name: `e${no}`, properties: [] }))
  const both = ['网页的', '服务端的'].map((name) => ({ name, rows: 1, keys: [] }))
  expect(offered(events, both, { events: new Set(['服务端的']), properties: new Set() })).toEqual({
    events: [{ name: '服务端的', properties: [] }],
    warnings: [{ outcome: { code: 'track_events_full', params: { max: 1000 } }, rows: 1 }],
  })
  // Each key with its own.
  const sent = found.map((one) => ({ ...one, senders: [[7, one.rows - 1] as const, [8, 1] as const] }))
  expect(offered(known, sent, byServers).warnings).toEqual([
    { outcome: { code: 'track_properties_full', params: { max: 1000 } }, rows: 2, part: 7 },
    { outcome: { code: 'track_properties_full', params: { max: 1000 } }, rows: 1, part: 8 },
  ])

  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  const properties = (from: number) => Object.fromEntries(Array.from({ length: 600 }, (_, no) => [`p${from + no}`, 1]))
  await track(app, '/v1/batch', key, {
    batch: [event(1, { properties: properties(0) }), event(2, { properties: properties(600) })],
  })
  await app.settled()
  const { db } = app.stores.postgres
  const [row] = await db.selectFrom('event_name').select('properties').execute()
  expect(row?.properties).toHaveLength(1000)
  expect(await engine.query('SELECT length(mapKeys(properties)) AS n FROM event')).toEqual([{ n: 600 }, { n: 600 }])
  expect(await app.admin.get(listLately, { query: { adv_id } })).toMatchObject({
    refusals: [{ is_kept: true, times: 2, key_id: expect.any(Number), outcome: { code: 'track_properties_full' } }],
  })
})

test('attributes beyond the bound are left out, known ones and the most frequent ones first, and it is counted', () => {
  const known = Array.from({ length: 988 }, (_, no) => ({ name: `a${no}`, slot: no }))
  const traits = ['name', 'city', 'a7', '$id', 'age', 'job'].map((name, no) => ({
    ...{ name, senders: [[5, 8 - no] as const, [6, 1] as const] },
    by_server: 1 as const,
  }))
  const full = { code: 'track_attributes_full', params: { max: 990 } }
  expect(traitsKept(known, traits)).toEqual({
    names: ['name', 'city', 'a7', 'age'],
    leftOut: [
      { outcome: full, rows: 3, part: 5 },
      { outcome: full, rows: 1, part: 6 },
    ],
  })
  // The key of a page brings no new ones where there are many.
  const ofPages = traits.map((trait) => ({ ...trait, by_server: 0 as const }))
  expect(traitsKept(known.slice(0, 199), ofPages)).toEqual({
    names: ['name', 'city', 'a7'],
    leftOut: [
      { outcome: { code: 'track_page_attributes_full', params: { max: 200 } }, rows: 4 + 3, part: 5 },
      { outcome: { code: 'track_page_attributes_full', params: { max: 200 } }, rows: 1 + 1, part: 6 },
    ],
  })
})

test('a call whose events lie in more than a hundred months is counted, again with a file of as many', async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  const day = (month: number) => new Date(Date.UTC(2005, month, 15)).toISOString()
  const months = Array.from({ length: 130 }, (_, month) => month)
  await track(app, '/v1/batch', key, { batch: months.map((month) => event(month, { timestamp: day(month) })) })
  await expect.poll(() => tagCounts(adv_id), { timeout: 30_000 }).toEqual({ 做过支付: 130 })
  const rows = months.map((month) => `u${month},支付,${day(month + 12)}`)
  const upload_id = await uploadTo(app, app.admin, `id,event,time\n${rows.join('\n')}\n`, 'events.csv')
  const mapping = { kind: 'events' as const, id: 'id', event: 'event', time: 'time', skip: [] }
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  expect((await app.admin.get(getImport, { params: { id } })).status).toBe('done')
  expect(await engine.query('SELECT count() AS n, uniqExact(toYYYYMM(ts)) AS months FROM event')).toEqual([
    { n: 260, months: 142 },
  ])
})
