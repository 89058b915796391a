import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { addCustomCrowd, getCustomCrowd } from '#contract/custom-crowd.ts'
import { FAULTS } from '#contract/errors.ts'
import { createAssetFolder } from '#contract/folder.ts'
import { getImport, startImport } from '#contract/import.ts'
import { listPushes, startPush } from '#contract/push.ts'
import { listTasks, retryTask } from '#contract/task.ts'
import { anAdvertiser } from '../testing/builders.ts'
import { startClickHouse } from '../testing/clickhouse-server.ts'
import { aCustomCrowd, uploaded } from '../testing/custom-crowds.ts'
import { SOCIAL } from '../testing/platforms.ts'
import { sharedPostgres } from '../testing/postgres.ts'
import { anAuthorisedAccount, hashes, SANDBOX_ACCOUNTS, sandboxValues } from '../testing/push.ts'
import { testSandbox } from '../testing/sandbox.ts'
import { testApp } from '../testing/test-app.ts'
import { tinyDisk } from '../testing/tiny-disk.ts'
import { uploadTo } from '../testing/upload.ts'
import { testWarehouse } from '../testing/warehouse.ts'

const disk = tinyDisk(8)
afterAll(() => disk?.remove())

// Only the directory of uploads and written files is on the full disk; the stores are elsewhere.
describe.skipIf(!disk)('on a full disk', async () => {
  if (!disk) return
  const sandbox = await testSandbox()
  const app = await testApp({
    DATA_DIR: disk.path,
    PLATFORM_SOCIAL_URL: sandbox.socialUrl,
    PLATFORM_VIDEO_URL: sandbox.videoUrl,
    PUSH_PACE: '0.02',
  })
  afterAll(async () => {
    await app.close()
    await sandbox.close()
  })
  beforeEach(async () => {
    disk.empty()
    await app.reset()
    await sandbox.control('switches', { processing_seconds: 0.1 })
  })
  const get = async (id: number) => (await app.admin.get(getCustomCrowd, { query: { id } })).crowd

  test('a check fails with a sentence and leaves nothing behind, and succeeds when it is tried again', async () => {
    const adv_id = await anAdvertiser(app)
    const content = `${hashes(0, 10).join('\n')}\n${'这不是标识\n'.repeat(20_000)}`
    const files = await uploaded(app, app.admin, [{ name: 'a.txt', content }])
    disk.fill()
    const body = { name: '满', dir_id: 1, user_id_type: 'HASH_IMEI' as const, adv_id, files }
    const { id } = await app.admin.get(addCustomCrowd, { body })
    await app.settled()
    const reason = '磁盘空间不足，请清理磁盘后重试'
    expect(await get(id)).toMatchObject({ status: 'failed', user_count: null, reason })
    expect(readdirSync(join(disk.path, 'crowd-malformed'))).toEqual([])
    expect(readdirSync(join(disk.path, 'crowd-check'))).toEqual([])
    expect(await app.services.identifiers.unfinished()).toEqual([])
    const { list } = await app.admin.get(listTasks)
    expect(list[0]).toMatchObject({ status: 'failed', error: reason, retryable: true })

    disk.empty()
    await app.admin.get(retryTask, { params: { id: list[0]?.id ?? 0 } })
    await app.settled()
    expect(await get(id)).toMatchObject({ status: 'available', user_count: 10, reason: null })
    expect(readdirSync(join(disk.path, 'crowd-malformed'))).toHaveLength(1)
  })

  test('a push says why it waits, and goes on by itself once there is room', async () => {
    const adv_id = await anAdvertiser(app)
    const account = await anAuthorisedAccount(app, sandbox, adv_id, 1, SANDBOX_ACCOUNTS[1][0])
    const values = hashes(0, 5000)
    const id = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: values.join('\n') }])
    await app.settled()
    // The check's last step removes the upload.
    await vi.waitFor(() => expect(readdirSync(join(disk.path, 'uploads'))).toEqual([]))
    disk.fill()
    await app.admin.get(startPush, { params: { cnt_type: SOCIAL }, body: { id, advertiser_id: account } })
    await vi.waitFor(
      async () => {
        const { list } = await app.admin.get(listPushes, { query: { id } })
        expect(list[0]).toMatchObject({ status: 'running', reason: expect.stringContaining('本机磁盘空间不足') })
      },
      { timeout: 20_000, interval: 50 },
    )
    expect(readdirSync(join(disk.path, 'push-parts'))).toEqual([])
    disk.empty()
    await app.settled()
    const { list } = await app.admin.get(listPushes, { query: { id } })
    expect(list).toMatchObject([{ status: 'done', reason: null, sent: values.length }])
    const [child] = (await get(id)).audiences
    expect(await sandboxValues(sandbox, 1, child?.tag_id ?? '')).toEqual(values.toSorted())
  })

  test('a call refused because of the full disk says so', async () => {
    const { db } = app.stores.postgres
    await sql`create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`.execute(
      db,
    )
    await sql`create trigger full_disk before insert on asset_folder execute function full_disk()`.execute(db)
    const answer = await app.admin.call(createAssetFolder, { body: { name: '甲' } })
    await sql`drop function full_disk cascade`.execute(db)
    expect(answer).toMatchObject({ status: 507, code: FAULTS.diskFull.code, msg: FAULTS.diskFull.msg })
  })
})

const serverDisk = tinyDisk(64)
afterAll(() => serverDisk?.remove())

describe.skipIf(!serverDisk)('on a full disk of a ClickHouse server', async () => {
  if (!serverDisk) return
  const server = await startClickHouse({ within: serverDisk.path })
  const app = await testApp({}, sharedPostgres, () => testWarehouse({ server: server.url }))
  afterAll(async () => {
    await app.close()
    await server.stop()
  })

  test('an import and a check fail with a sentence, and succeed when they are tried again', async () => {
    const adv_id = await anAdvertiser(app)
    const upload_id = await uploadTo(app, app.admin, `id,city\n${hashes(0, 1000).join(',上海\n')},上海`)
    const files = await uploaded(app, app.admin, [{ name: 'a.txt', content: hashes(0, 1000).join('\n') }])
    await app.settled()
    // Room for a few files that describe tables: this engine leaves them empty on a disk without any, and says nothing.
    serverDisk.fill(512 * 1024)
    expect((await app.stores.warehouse.live.acrossShards.query('SELECT number FROM numbers(100000)')).length).toBe(
      100_000,
    )
    const mapping = { kind: 'users' as const, id: 'id' }
    const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
    const body = { name: '满', dir_id: 1, user_id_type: 'HASH_IMEI' as const, adv_id, files }
    const crowd = await app.admin.get(addCustomCrowd, { body })
    await app.settled()
    const imported = () => app.admin.get(getImport, { params: { id } })
    const checked = async () => (await app.admin.get(getCustomCrowd, { query: { id: crowd.id } })).crowd
    expect(await imported()).toMatchObject({ status: 'failed', error: FAULTS.importDiskFull.msg })
    expect(await checked()).toMatchObject({ status: 'failed', reason: '磁盘空间不足，请清理磁盘后重试' })
    serverDisk.empty()
    const { list } = await app.admin.get(listTasks)
    const failed = list.filter(({ status }) => status === 'failed')
    for (const task of failed) await app.admin.get(retryTask, { params: { id: task.id } })
    await app.settled()
    expect(await imported()).toMatchObject({ status: 'done', report: { stored: 1000 } })
    expect(await checked()).toMatchObject({ status: 'available', user_count: 1000, reason: null })
  })
})
