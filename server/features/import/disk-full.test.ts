import { mkdirSync } from 'node:fs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { getImport, type ImportMapping, startImport } from '#contract/import.ts'
import { listTasks, retryTask } from '#contract/task.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { tinyDisk } from '../../testing/tiny-disk.ts'
import { beginUpload, receivedBytes, sendPart, uploadIdOf, uploadTo } from '../../testing/upload.ts'

const disk = tinyDisk(8)
afterAll(() => disk?.remove())

// The test's stores are on another disk; only the disk for uploads and for reading files is full.
describe.skipIf(!disk)('on a full disk', async () => {
  if (!disk) return
  mkdirSync(disk.path, { recursive: true })
  const app = await testApp({ DATA_DIR: disk.path })
  afterAll(() => app.close())
  beforeEach(async () => {
    disk.empty()
    await app.reset()
  })

  test('a file larger than the disk is refused before any byte is sent', async () => {
    const refused = await beginUpload(app, app.admin, 64 * 1024 * 1024)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      code: FAULTS.uploadRefused.code,
      msg: '磁盘空间不足，无法接收文件；请清理磁盘后再上传',
    })
  })

  test('an upload stops with a sentence and resumes where it stopped once there is space', async () => {
    const bytes = Buffer.alloc(1024 * 1024, 'x')
    const begun = await beginUpload(app, app.admin, bytes.length)
    const id = uploadIdOf(begun)
    expect((await sendPart(app, app.admin, id, 0, bytes.subarray(0, 5000))).status).toBe(204)
    disk.fill()
    const refused = await sendPart(app, app.admin, id, 5000, bytes.subarray(5000))
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ msg: '磁盘空间不足，无法接收文件；请清理磁盘后再上传' })
    disk.empty()
    const from = await receivedBytes(app, app.admin, id)
    expect(from).toBeGreaterThanOrEqual(5000)
    expect((await sendPart(app, app.admin, id, from, bytes.subarray(from))).status).toBe(204)
    expect(await receivedBytes(app, app.admin, id)).toBe(bytes.length)
  })

  test('an import fails with a sentence and succeeds on retry once there is space', async () => {
    const mapping: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
    const adv_id = await anAdvertiser(app)
    const lines = Array.from({ length: 40_000 }, (_, i) => `${i},city ${i % 7}`)
    const upload_id = await uploadTo(app, app.admin, `id,city\n${lines.join('\n')}`)
    disk.fill()
    const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
    await app.settled()
    expect(await app.admin.get(getImport, { params: { id } })).toMatchObject({
      status: 'failed',
      stage: '',
      error: FAULTS.importDiskFull.msg,
    })
    disk.empty()
    const { list } = await app.admin.get(listTasks)
    const failed = list.find((task) => task.status === 'failed')
    await app.admin.get(retryTask, { params: { id: failed?.id ?? 0 } })
    await app.settled()
    expect(await app.admin.get(getImport, { params: { id } })).toMatchObject({
      status: 'done',
      report: { rows: 40_000, stored: 40_000, refused: 0 },
    })
  })
})
