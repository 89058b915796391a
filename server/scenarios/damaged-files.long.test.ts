import { readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createAdvertiser } from '#contract/advertiser.ts'
import { getImport, startImport } from '#contract/import.ts'
import { launch, MAIN } from '../testing/launch.ts'
import { realServer } from '../testing/real-server.ts'
import { uploadTo } from '../testing/upload.ts'

const server = realServer()
afterAll(() => server.close())

const ROWS = 20_000
const USERS = `id,city\n${Array.from({ length: ROWS }, (_, i) => `u${i},city ${i % 7}`).join('\n')}`
const MAPPING = { kind: 'users' as const, id: 'id', identifiers: [], skip: [] }
const warehouse = () => join(server.dataDir, 'warehouse', 'store')
const filesIn = (directory: string, isWanted: (path: string) => boolean): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter(isWanted)

const importOf = (adv_id: number, upload_id: string) =>
  server.admin.get(startImport, { body: { adv_id, upload_id, mapping: MAPPING } })
/** A start that ends by itself. */
const refused = () => launch(MAIN, [], { PORT: '0', DATA_DIR: server.dataDir }).ended

// A server keeps its files itself.
test.skipIf(process.env.RENQUN_TEST_CLICKHOUSE)(
  'a start with damaged files of the warehouse is refused until they are moved away, and counts nobody less silently',
  async () => {
    await server.start()
    const { id: adv_id } = await server.admin.get(createAdvertiser, { body: { name: '品牌' } })
    await importOf(adv_id, await uploadTo(server, server.admin, USERS))
    await server.settled()
    await server.kill()
    const large = filesIn(warehouse(), (path) => path.endsWith('.bin') && statSync(path).size > 40_000)
    expect(large.length).toBeGreaterThan(0)
    for (const path of large) truncateSync(path, 100)

    const first = await refused()
    expect(first.code).not.toBe(0)
    expect(first.err).toMatch(/数据仓库的 \d+ 份数据文件已损坏（表 .*person_row/)
    expect(first.err).toContain('请恢复备份')
    expect(first.err).not.toContain(' at ')
    // What the engine did meanwhile does not hide the loss.
    expect((await refused()).err).toContain('份数据文件已损坏')

    for (const path of filesIn(warehouse(), (path) => /\/detached\/broken-on-start_[^/]+$/.test(path))) {
      renameSync(path, join(server.dataDir, `moved-${path.split('/').at(-1)}-${Math.random()}`))
    }
    await server.start()
  },
  // Four starts of a server.
  120_000,
)

test('an upload that became shorter on the disk is refused with what to do', async () => {
  if (!server.admin.cookie) await server.start()
  const { id: adv_id } = await server.admin.get(createAdvertiser, { body: { name: '另一品牌' } })
  const upload = await uploadTo(server, server.admin, USERS)
  truncateSync(join(server.dataDir, 'uploads', upload), 5_000)
  const { id } = await importOf(adv_id, upload)
  await server.settled()
  const { status, error } = await server.admin.get(getImport, { params: { id } })
  expect({ status, error }).toMatchObject({ status: 'failed' })
  expect(error).toContain('服务器上的文件不完整（大小与上传时不同），请重新上传')
  rmSync(join(server.dataDir, 'uploads', upload), { force: true })
})
