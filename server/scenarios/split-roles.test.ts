import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createAdvertiser } from '#contract/advertiser.ts'
import { getImport, previewImport, refusedRowsPath, startImport } from '#contract/import.ts'
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
    expect(await refused.text()).toContain('52,用户 ID 为空,,北京')
    // The worker removes it once the import has ended.
    await vi.waitFor(() => expect(store.object(key)).toBeNull(), { timeout: 30_000 })

    const alone = await open('web', {})
    const answer = await beginUpload(alone, { ...alone.admin, cookie: admin.cookie }, 10)
    expect(await answer.json()).toMatchObject({
      msg: '网页与任务分开运行时，需要设置 OBJECT_STORE_URL 才能上传文件',
    })
  },
)
