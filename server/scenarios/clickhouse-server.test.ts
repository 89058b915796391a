import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Analytics } from '@segment/analytics-node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { getImport, type ImportMapping, startImport } from '#contract/import.ts'
import { getPush, startPush } from '#contract/push.ts'
import { countRule, openRule } from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG, EVENT_TAG, getTagTree, type TagType } from '#contract/tag.ts'
import { listTasks } from '#contract/task.ts'
import { rightsIn } from '../clickhouse/rights.ts'
import { anAdvertiser, leaf, node, tagged } from '../testing/builders.ts'
import { startClickHouse } from '../testing/clickhouse-server.ts'
import { aCustomCrowd } from '../testing/custom-crowds.ts'
import { SOCIAL } from '../testing/platforms.ts'
import { testPostgres } from '../testing/postgres.ts'
import { anAuthorisedAccount, hashes, SANDBOX_ACCOUNTS, sandboxValues } from '../testing/push.ts'
import { testSandbox } from '../testing/sandbox.ts'
import { type TestApp, testApp } from '../testing/test-app.ts'
import { aWriteKey, countedEvents } from '../testing/tracking.ts'
import { uploadTo } from '../testing/upload.ts'
import { testWarehouse } from '../testing/warehouse.ts'

const DATABASE = 'console'
const USER = 'console'

// A short path through the uses of the warehouse, as a user of a real server with exactly the rights that the start asks
// for. `npm run test:clickhouse` runs all server tests on such a server.
const [server, sandbox] = await Promise.all([
  startClickHouse({ users: { [USER]: rightsIn(DATABASE).map((right) => `GRANT ${right}`) } }),
  testSandbox(),
])
let app: TestApp
let adv_id: number
beforeAll(async () => {
  app = await testApp({ PLATFORM_SOCIAL_URL: sandbox.socialUrl, PUSH_PACE: '0.02' }, testPostgres, () =>
    testWarehouse({ server: server.url, database: DATABASE, user: USER }),
  )
  adv_id = await anAdvertiser(app)
})
afterAll(async () => {
  await app.close()
  await sandbox.close()
  await server.stop()
})
afterEach(() => vi.restoreAllMocks())

const USERS: ImportMapping = {
  kind: 'users',
  id: 'id',
  identifiers: [{ column: 'imei', type: 'HASH_IMEI' }],
  skip: [],
}
const EVENTS: ImportMapping = { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] }
const start = async (content: string | Buffer, mapping: ImportMapping, name = 'people.csv') => {
  const upload_id = await uploadTo(app, app.admin, content, name)
  return (await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })).id
}
const report = async (id: number) => (await app.admin.get(getImport, { params: { id } })).report
const imported = async (...given: Parameters<typeof start>) => {
  const id = await start(...given)
  await app.settled()
  return report(id)
}
const tags = async (tag_type: TagType) => {
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type } })
  return data.flatMap((category) => category.group ?? [])
}
const tagNamed = async (name: string, tag_type: TagType = ATTRIBUTE_TAG) => {
  const tag = (await tags(tag_type)).find((one) => one.tag === name)
  if (!tag) throw new Error(`no tag ${name}`)
  return tag
}

const IMEIS = hashes(0, 2000)
const people = ['id,city,imei', ...IMEIS.map((imei, at) => `${at},${at % 4 === 0 ? '北京' : '上海'},${imei}`)].join(
  '\n',
)

test('a CSV of people with a refused row, and a Parquet file of the same people, are imported', async () => {
  expect(await imported(`${people}\n,无编号,\n`, USERS)).toMatchObject({
    rows: 2001,
    stored: 2000,
    refused: 1,
    new_people: 2000,
  })
  const path = join(app.stores.settings.dataDir, `${randomUUID()}.parquet`)
  await (await app.stores.warehouse.fileEngine()).command(
    `INSERT INTO FUNCTION file('${path}', 'Parquet') SELECT toString(number) AS id, 'VIP' AS level FROM numbers(1995, 10)`,
  )
  const mapping: ImportMapping = { ...USERS, identifiers: [] }
  expect(await imported(readFileSync(path), mapping, 'more.parquet')).toMatchObject({ stored: 10, new_people: 5 })
})

test('events make their tags, and a rule over tags is counted', async () => {
  const time = Math.floor(Date.now() / 1000) - 3600
  const rows = Array.from({ length: 500 }, (_, at) => `${at},支付,${time + at}`)
  expect(await imported(['id,event,time', ...rows].join('\n'), EVENTS)).toMatchObject({ stored: 500, new_people: 0 })
  expect(await tagNamed('北京')).toMatchObject({ count: 500 })
  expect(await tagNamed('VIP')).toMatchObject({ count: 10 })
  const paid = await tagNamed('做过支付', EVENT_TAG)
  expect(paid).toMatchObject({ count: 500 })
  const { rId } = await app.admin.get(openRule, { body: { advId: adv_id } })
  const rule = node(
    'root',
    'n',
    leaf('city', 'n', tagged((await tagNamed('北京')).id)),
    leaf('event', 'n', [{ id: paid.id, tag_type: EVENT_TAG }]),
  )
  expect(await app.admin.get(countRule, { params: { rId }, body: { advId: adv_id, rule } })).toMatchObject({
    cnt: { root: 125, city: 500, event: 500 },
  })
})

test('an uploaded crowd is checked, matched and pushed to the platform', async () => {
  const crowd = await aCustomCrowd(app, adv_id, [
    { name: 'a.txt', content: `${hashes(1000, 4000).join('\n')}\nnot-a-hash\n` },
  ])
  await app.settled()
  const { db } = app.stores.postgres
  const row = await db.selectFrom('custom_crowd').selectAll().where('id', '=', crowd).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ size: 3000, matched: 1000 })
  const account = await anAuthorisedAccount(app, sandbox, adv_id, 1, SANDBOX_ACCOUNTS[1][0])
  await sandbox.control('switches', { processing_seconds: 0.1, video_publish_every_seconds: 0 })
  const { push_id, child_id } = await app.admin.get(startPush, {
    params: { cnt_type: SOCIAL },
    body: { id: crowd, advertiser_id: account },
  })
  await app.settled()
  const { push } = await app.admin.get(getPush, { params: { id: push_id } })
  expect(push).toMatchObject({ status: 'done', adds: 3000, sent: 3000 })
  const child = await db.selectFrom('audience').selectAll().where('id', '=', child_id).executeTakeFirstOrThrow()
  expect(await sandboxValues(sandbox, 1, child.audience_id ?? '')).toHaveLength(3000)
})

test('while the server is away, calls name the warehouse, and a job waits for it and finishes', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const lines = vi.spyOn(console, 'log').mockImplementation(() => {})
  const upload_id = await uploadTo(app, app.admin, 'id,city\n90001,广州\n', 'late.csv')
  const { rId } = await app.admin.get(openRule, { body: { advId: adv_id } })
  // Never counted before, so no copy in memory can answer.
  const counted = {
    params: { rId },
    body: { advId: adv_id, rule: leaf('a', 'n', tagged((await tagNamed('上海')).id)) },
  }
  await server.kill()
  expect(await app.admin.call(countRule, counted)).toMatchObject({
    status: 503,
    code: FAULTS.warehouseAway.code,
    msg: '仓库暂时不可用，请稍后再试',
  })
  expect((await app.app.inject({ url: '/readyz' })).statusCode).toBe(503)
  const { id } = await app.admin.get(startImport, {
    body: { adv_id, upload_id, mapping: { ...USERS, identifiers: [] } },
  })
  const stages = async () => (await app.admin.get(listTasks)).list.map(({ stage }) => stage)
  await vi.waitFor(async () => expect(await stages()).toContain('等待数据仓库恢复'), { timeout: 10_000 })
  await server.start()
  await vi.waitFor(async () => expect(await report(id)).toMatchObject({ stored: 1 }), { timeout: 20_000 })
  expect(await app.admin.call(countRule, counted)).toMatchObject({ code: 0, data: { cnt: { a: 1500 } } })
  await app.settled()
  expect(errors.mock.calls.map(([said]) => said)).toEqual([expect.stringMatching(/^数据仓库暂时不可用：/)])
  expect(lines.mock.calls.map(([said]) => said)).toEqual(['数据仓库已恢复'])
})

test('while the server is away, tracking calls answer 503, and what a client sends again is counted once', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const advertiser = await anAdvertiser(app)
  const statuses: number[] = []
  const analytics = new Analytics({
    writeKey: await aWriteKey(app, advertiser),
    host: await app.origin(),
    flushAt: 10,
    maxRetries: 20,
  })
  analytics.on('http_response', ({ status }: { status: number }) => statuses.push(status))
  const pay = (from: number) => {
    for (let at = from; at < from + 50; at++) analytics.track({ userId: `u${at}`, event: '支付', messageId: `m${at}` })
  }
  pay(0)
  await vi.waitFor(() => expect(statuses).toContain(200), { timeout: 10_000 })
  // In the middle of what was sent, and of counting it.
  await server.kill()
  pay(50)
  await vi.waitFor(() => expect(statuses).toContain(503), { timeout: 10_000 })
  await server.start()
  await analytics.closeAndFlush()
  await app.settled()
  await expect
    .poll(() => countedEvents(app, advertiser), { timeout: 30_000, interval: 500 })
    .toEqual({ 支付: [100, 100] })
})
