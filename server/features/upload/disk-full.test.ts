import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../testing/test-app.ts'
import { tinyDisk } from '../../testing/tiny-disk.ts'
import { beginCrowdUpload, touchCrowdUpload, uploadIdOf } from '../../testing/upload.ts'

const disk = tinyDisk(8)
afterAll(() => disk?.remove())

describe.skipIf(!disk)('on a full disk', async () => {
  if (!disk) return
  // The test's stores are on another disk; only the disk for uploads is full.
  const app = await testApp({ DATA_DIR: disk.path })
  afterAll(() => app.close())

  test('a file that does not fit is refused before any byte is sent', async () => {
    const refused = await beginCrowdUpload(app, app.admin, 40 * 1024 ** 2)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ msg: '磁盘空间不足，无法接收文件；请清理磁盘后再上传' })
  })

  test('an upload stops with a sentence and resumes where it stopped once there is space', async () => {
    const bytes = Buffer.alloc(1024 ** 2, 'x')
    const uri = uploadIdOf(await beginCrowdUpload(app, app.admin, bytes.length))
    disk.fill()
    const stopped = await touchCrowdUpload(app, app.admin, 'PATCH', uri, { from: 0, bytes })
    expect(stopped.status).toBe(400)
    expect(await stopped.json()).toMatchObject({ msg: '磁盘空间不足，无法接收文件；请清理磁盘后再上传' })
    disk.empty()
    const from = Number((await touchCrowdUpload(app, app.admin, 'HEAD', uri)).headers.get('upload-offset'))
    const sent = await touchCrowdUpload(app, app.admin, 'PATCH', uri, { from, bytes: bytes.subarray(from) })
    expect(sent.status).toBe(204)
  })
})
