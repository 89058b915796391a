import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createAdvertiser } from '#contract/advertiser.ts'
import { getImport, previewImport, refusedRowsPath, startImport } from '#contract/import.ts'
import { listLinkUsers } from '#contract/link-user.ts'
import { makeWriteKey } from '#contract/tracking.ts'
import { type ClickHouseServer, startClickHouse } from '../testing/clickhouse-server.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { type RealServer, realServer } from '../testing/real-server.ts'
import { type S3Store, startS3 } from '../testing/s3-store.ts'
import { beginUpload, uploadToStore } from '../testing/upload.ts'

const START_MS = 180_000
const bin = findPostgres()
let postgres: PostgresServer
let clickhouse: ClickHouseServer
let store: S3Store
const servers: RealServer[] = []

beforeAll(async () => {
  if (!bin) return
  ;[postgres, clickhouse, store] = await Promise.all([startPostgres(bin), startClickHouse(), startS3()])
}, START_MS)
afterAll(async () => {
  for (const server of servers) await server.close()
  await Promise.all([postgres?.stop(), clickhouse?.stop(), store?.close()])
}, START_MS)

async function open(ROLE: 'web' | 'worker', more: Record<string, string>): Promise<RealServer> {
  const server = realServer({
    ROLE,
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    SECRET_KEY: 'one key for all processes, long enough',
    DEMO: '0',
    WEB_BUILD: '0',
    ...more,
  })
  servers.push(server)
  await server.start()
  return server
}

test.skipIf(!bin)(
  'a page import goes from a web process to a worker through the object store; without one it is refused',
  { timeout: START_MS },
  async () => {
    const web = await open('web', { OBJECT_STORE_URL: store.url })
    const { admin } = web
    await open('worker', { OBJECT_STORE_URL: store.url })
    const { id: adv_id } = await admin.get(createAdvertiser, { body: { name: '分开运行' } })
    const content = `id,city\n${Array.from({ length: 100 }, (_, i) => `${i === 50 ? '' : i},北京`).join('\n')}\n`
    const { uri, key } = await uploadToStore(admin, 'import', content, 'people.csv')
    expect((await admin.get(previewImport, { body: { upload_id: uri, kind: 'users' } })).rows).toHaveLength(50)
    const mapping = { kind: 'users' as const, id: 'id', identifiers: [], skip: [] }
    const { id } = await admin.get(startImport, { body: { adv_id, upload_id: uri, mapping } })
    const find = () => admin.get(getImport, { params: { id } })
    await vi.waitFor(async () => expect((await find()).status).toBe('done'), { timeout: 60_000, interval: 200 })
    expect((await find()).report).toMatchObject({ rows: 100, stored: 99, refused: 1 })
    // The worker wrote the refused rows to its own disk.
    const refused = await fetch(`${await web.origin()}${refusedRowsPath(id)}`, { headers: { cookie: admin.cookie } })
    expect(await refused.text()).toContain('\n,北京,52,用户 ID 为空\n')
    // The worker removes it once the import has ended.
    await vi.waitFor(() => expect(store.object(key)).toBeNull(), { timeout: 30_000 })

    const alone = await open('web', {})
    const answer = await beginUpload(alone, { ...alone.admin, cookie: admin.cookie }, 10)
    expect(await answer.json()).toMatchObject({
      msg: '网页与任务分开运行时，需要设置 OBJECT_STORE_URL 才能上传文件',
    })
  },
)

test.skipIf(!bin)(
  'events that two web processes receive are counted once by a worker, though one of them is killed',
  { timeout: START_MS },
  async () => {
    const [web, other] = [await open('web', {}), await open('web', {})]
    await open('worker', {})
    const { admin } = servers[0] ?? web
    const { id: adv_id } = await admin.get(createAdvertiser, { body: { name: '两个网页进程' } })
    const { key } = await admin.get(makeWriteKey, { body: { adv_id, kind: 'server', name: '订单' } })
    const batch = (no: number) =>
      Array.from({ length: 20 }, (_, at) => ({
        type: 'track',
        event: '支付',
        messageId: `m${no}-${at}`,
        userId: `u${at % 10}`,
      }))
    const send = async (to: RealServer, no: number) => {
      const body = JSON.stringify({ writeKey: key, batch: batch(no) })
      const answer = await fetch(`${await to.origin()}/v1/b`, { method: 'POST', body }).catch(() => null)
      return answer?.status === 200
    }
    const calls = Array.from({ length: 30 }, (_, no) => no)
    for (const no of calls) {
      if (no === 15) await other.kill()
      // As a balancer in front of both does. What one of them did not acknowledge goes to the other, and some to both.
      const [first, second] = no % 2 ? [other, web] : [web, other]
      const isStored = await send(first, no)
      if (!isStored || no % 5 === 0) await send(isStored ? second : web, no)
    }
    const query = { adv_id, per_page: 50 } as never
    const totals = async () => (await admin.get(listLinkUsers, { query })).data.map(({ total }) => total)
    await vi.waitFor(async () => expect(await totals()).toEqual(Array(10).fill(60)), { timeout: 60_000, interval: 500 })
  },
)
