import { existsSync, readFileSync, utimesSync } from 'node:fs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import {
  CROWD_UPLOAD_PATH,
  removeUpload,
  UPLOAD_FILE_MAX,
  UPLOAD_TOKEN_HEADER,
  type UploadPurpose,
} from '#contract/upload.ts'
import { listViewers, logout, updateViewer } from '#contract/viewer.ts'
import { transaction } from '../../postgres/transaction.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import {
  beginCrowdUpload,
  beginUpload,
  crowdTus,
  touchCrowdUpload,
  uploadCrowdFile,
  uploadIdOf,
  uploadTo,
} from '../../testing/upload.ts'
import { now } from '../../time/clock.ts'
import { UNUSED_BYTES_MAX } from './purposes.ts'
import { uploadService } from './service.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())
const { db } = app.stores.postgres
const uploads = app.services.uploads

const rowOf = (id: string) => db.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirst()
const adminId = async () => (await db.selectFrom('viewer').select('id').executeTakeFirstOrThrow()).id
const take = (viewer_id: number, uri: string, file = 1) =>
  transaction(db, (tx) => uploads.take(tx, viewer_id, uri, file))

test('a file is sent in parts and is complete with its last byte', async () => {
  const bytes = Buffer.from('a\nb\nc\n')
  const uri = uploadIdOf(await beginCrowdUpload(app, app.admin, bytes.length, '手机号.TXT'))
  expect((await touchCrowdUpload(app, app.admin, 'PATCH', uri, { from: 0, bytes: bytes.subarray(0, 2) })).status).toBe(
    204,
  )
  expect(await rowOf(uri)).toMatchObject({ name: '手机号.TXT', size: 6, store: 'tus', is_complete: false })
  const at = (await touchCrowdUpload(app, app.admin, 'HEAD', uri)).headers.get('upload-offset')
  expect(at).toBe('2')
  await touchCrowdUpload(app, app.admin, 'PATCH', uri, { from: 2, bytes: bytes.subarray(2) })
  expect(await rowOf(uri)).toMatchObject({ is_complete: true })
  expect(readFileSync((await uploads.open(uri)).path, 'utf8')).toBe('a\nb\nc\n')
})

test.each([
  ['ids.xlsx', 10, '不支持上传该类型文件', outcome('upload_type_refused')],
  ['ids', 10, '不支持上传该类型文件', outcome('upload_type_refused')],
  ['ids.txt', 0, '不能上传空文件', outcome('upload_empty')],
  [`${'长'.repeat(252)}.txt`, 10, '文件名不能超过 255 个字符', outcome('upload_name_too_long', { max: 255 })],
  ['ids.csv', UPLOAD_FILE_MAX + 1, '单个文件大小不能超过 50M', outcome('upload_too_large', { mb: 50 })],
])('%s of %i bytes is refused before any byte is sent: %s', async (name, size, msg, why) => {
  const refused = await beginCrowdUpload(app, app.admin, size, name)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ code: FAULTS.uploadRefused.code, msg, outcome: why })
  expect(await db.selectFrom('upload').selectAll().execute()).toEqual([])
})

test.each([
  ['at another position', 3, 409, outcome('upload_offset_differs')],
  ['after its file was swept', 0, 404, outcome('upload_expired')],
])('bytes sent %s are refused by the status of the protocol', async (what, from, status, why) => {
  const uri = uploadIdOf(await beginCrowdUpload(app, app.admin, 10))
  if (status === 404) await uploads.files.remove(uri)
  const refused = await touchCrowdUpload(app, app.admin, 'PATCH', uri, { from, bytes: Buffer.from('a') })
  expect([what, refused.status]).toEqual([what, status])
  expect(await refused.json()).toMatchObject({ code: FAULTS.uploadRefused.code, msg: sentenceOf(why), outcome: why })
})

test('a file of unknown size is refused', async () => {
  const origin = `http://127.0.0.1:${(app.app.server.address() as { port: number }).port}`
  const refused = await fetch(`${origin}${CROWD_UPLOAD_PATH}`, {
    method: 'POST',
    headers: { ...(await crowdTus(app.admin)), 'upload-defer-length': '1', 'upload-metadata': 'filename YS50eHQ=' },
  })
  expect(await refused.json()).toMatchObject({ msg: '请求缺少文件大小' })
})

const BEGIN = { crowd: beginCrowdUpload, import: beginUpload }
const held = (viewer_id: number, purpose: UploadPurpose, size: number, no = 0) => ({
  id: `held-${purpose}-${no}`,
  viewer_id,
  purpose,
  name: 'a.csv',
  size,
  store: 'tus' as const,
  object_key: null,
  multipart_id: null,
  crowd_file_id: null,
  created_at: now(),
})

test.each([
  ['crowd', 400 * 1024 ** 2],
  ['import', 400 * 1024 ** 2],
  ['crowd', UNUSED_BYTES_MAX - 15],
  ['import', 0],
] as const)(
  'one quota for both purposes refuses a new %s upload, also of several at once (crowds have %i bytes)',
  async (purpose, ofCrowds) => {
    const viewer_id = await adminId()
    await db
      .insertInto('upload')
      .values([held(viewer_id, 'crowd', ofCrowds), held(viewer_id, 'import', UNUSED_BYTES_MAX - 15 - ofCrowds)])
      .execute()
    const answers = await Promise.all([1, 2, 3].map(() => BEGIN[purpose](app, app.admin, 10)))
    expect(answers.map((one) => one.status).toSorted()).toEqual([201, 400, 400])
    const refused = answers.find((one) => one.status === 400)
    expect(await refused?.json()).toMatchObject({
      msg: '未使用的上传（人群文件与导入文件合计）不能超过 20 GB，请先提交、导入或删除其中一些',
      outcome: outcome('upload_quota_used', { gb: 20 }),
    })
    const other = await app.viewer('别人', [])
    expect((await BEGIN[purpose](app, other, 10)).status).toBe(201)
  },
)

test.each([
  ['crowd', 'import', 60, '已上传而未提交的文件过多，请先提交或删除其中一些'],
  ['import', 'crowd', 20, '已上传而未导入的文件过多，请先导入或取消其中一些'],
] as const)('the number of files is limited by purpose: %s', async (purpose, other, most, sentence) => {
  const viewer_id = await adminId()
  await db
    .insertInto('upload')
    .values(Array.from({ length: most }, (_, no) => held(viewer_id, purpose, 1, no)))
    .execute()
  expect(await (await BEGIN[purpose](app, app.admin, 10)).json()).toMatchObject({ msg: sentence })
  expect((await BEGIN[other](app, app.admin, 10)).status).toBe(201)
})

test('with pages and jobs in separate processes and no object store, an upload is refused with the setting to change', async () => {
  const service = uploadService({
    db,
    jobs: { handle: () => {}, schedule: () => {} } as never,
    dataDir: app.stores.settings.dataDir,
    objects: null,
    tokenKey: Buffer.alloc(32),
    isSplit: true,
  })
  const viewer = { id: await adminId() } as never
  const said = '网页与任务分开运行时，需要设置 OBJECT_STORE_URL 才能上传文件'
  await expect(service.credentials(viewer, 'import', undefined)).rejects.toThrow(said)
  await expect(service.begin(viewer, { purpose: 'import', name: 'a.csv', size: 1 })).rejects.toThrow(said)
})

test("a crowd cannot take an import's file, nor an import a crowd's", async () => {
  const viewer_id = await adminId()
  const ofImport = await uploadTo(app, app.admin, 'id\n1\n')
  await expect(take(viewer_id, ofImport)).rejects.toMatchObject({ fault: 'notFound' })
  const ofCrowd = await uploadCrowdFile(app, app.admin, 'a\n')
  await expect(uploads.forImport({ id: viewer_id }, ofCrowd)).rejects.toMatchObject({ fault: 'notFound' })
})

test("a viewer cannot use another viewer's upload", async () => {
  const uri = await uploadCrowdFile(app, app.admin, 'mine')
  const stranger = await app.viewer('陌生人', [])
  for (const method of ['HEAD', 'PATCH', 'DELETE'] as const) {
    const part = method === 'PATCH' ? { from: 4, bytes: Buffer.from('x') } : undefined
    expect((await touchCrowdUpload(app, stranger, method, uri, part)).status, method).toBe(404)
  }
  expect(await stranger.call(removeUpload, { params: { uri } })).toMatchObject({ status: 404 })
  await expect(take((await adminId()) + 1, uri)).rejects.toMatchObject({ fault: 'notFound' })
  expect(readFileSync((await uploads.open(uri)).path, 'utf8')).toBe('mine')
})

describe('the token', () => {
  const ask = async (token: string) => {
    const origin = `http://127.0.0.1:${(app.app.server.address() as { port: number }).port}`
    const headers = { 'tus-resumable': '1.0.0', [UPLOAD_TOKEN_HEADER]: token, 'upload-length': '3' }
    return (await fetch(`${origin}${CROWD_UPLOAD_PATH}`, { method: 'POST', headers })).status
  }

  test('an upload without a token or with an invented one is refused', async () => {
    const { [UPLOAD_TOKEN_HEADER]: token = '' } = await crowdTus(app.admin)
    // 400: the token is accepted, and the missing name is refused.
    expect(await ask(token)).toBe(400)
    const [viewer_id, ...rest] = token.split('.')
    for (const forged of ['', 'x', `${Number(viewer_id) + 1}.${rest.join('.')}`, `${token}0`]) {
      expect(await ask(forged), forged).toBe(401)
    }
  })

  test('it is refused once its session has ended', async () => {
    const viewer = await app.viewer('要走的人', [])
    const { [UPLOAD_TOKEN_HEADER]: token = '' } = await crowdTus(viewer)
    await viewer.get(logout)
    expect(await ask(token)).toBe(401)
  })
})

describe('a crowd takes an upload', () => {
  test('once, when complete, and only for its own viewer', async () => {
    const viewer_id = await adminId()
    const uri = await uploadCrowdFile(app, app.admin, 'a\n', 'first.csv')
    expect(await take(viewer_id, uri, 7)).toEqual({ name: 'first.csv', size: 2 })
    expect(await rowOf(uri)).toMatchObject({ crowd_file_id: 7 })
    await expect(take(viewer_id, uri, 8)).rejects.toThrow('文件「first.csv」已提交过，请重新上传')
    await expect(take(viewer_id, 'no such', 8)).rejects.toMatchObject({ fault: 'notFound' })
  })

  test('of two concurrent crowds only one takes it', async () => {
    const viewer_id = await adminId()
    const uri = await uploadCrowdFile(app, app.admin, 'a\n')
    const both = await Promise.allSettled([take(viewer_id, uri, 1), take(viewer_id, uri, 2)])
    expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('an unfinished upload is refused', async () => {
    const uri = uploadIdOf(await beginCrowdUpload(app, app.admin, 4))
    await expect(take(await adminId(), uri)).rejects.toThrow('包含未上传文件，请上传或删除后提交')
  })

  test('a kill between the last byte and the update of the row loses nothing', async () => {
    const uri = await uploadCrowdFile(app, app.admin, 'a\n')
    await db.updateTable('upload').set({ is_complete: false }).where('id', '=', uri).execute()
    expect(await take(await adminId(), uri)).toMatchObject({ size: 2 })
  })

  test('an upload that a crowd took can be neither changed nor cancelled', async () => {
    const uri = await uploadCrowdFile(app, app.admin, 'a\n')
    await take(await adminId(), uri)
    expect((await touchCrowdUpload(app, app.admin, 'DELETE', uri)).status).toBe(404)
    expect(await app.admin.call(removeUpload, { params: { uri } })).toMatchObject({ status: 404 })
    expect(existsSync((await uploads.open(uri)).path)).toBe(true)
  })
})

test('cancelling removes the bytes and writes an audit row', async () => {
  const uri = uploadIdOf(await beginCrowdUpload(app, app.admin, 4))
  const path = uploads.files.pathOf(uri)
  expect(existsSync(path)).toBe(true)
  expect((await touchCrowdUpload(app, app.admin, 'DELETE', uri)).status).toBe(204)
  expect(existsSync(path)).toBe(false)
  expect(await rowOf(uri)).toBeUndefined()
  const said = await db.selectFrom('audit').select(['action', 'viewer_id']).orderBy('id').execute()
  expect(said.map((one) => one.action)).toEqual(expect.arrayContaining(['upload.create', 'upload.remove']))
  const whole = await uploadCrowdFile(app, app.admin, 'abcd')
  await app.admin.get(removeUpload, { params: { uri: whole } })
  expect(existsSync(uploads.files.pathOf(whole))).toBe(false)
})

test('removes an upload that was read; removing it twice is harmless', async () => {
  const uri = await uploadCrowdFile(app, app.admin, 'a\n')
  await take(await adminId(), uri)
  const { path } = await uploads.open(uri)
  await uploads.remove(uri)
  await uploads.remove(uri)
  expect(existsSync(path)).toBe(false)
  await expect(uploads.open(uri)).rejects.toMatchObject({ fault: 'notFound' })
})

test('an upload resumes after a restart of the server', async () => {
  const bytes = Buffer.from('0123456789')
  const uri = uploadIdOf(await beginCrowdUpload(app, app.admin, bytes.length))
  await touchCrowdUpload(app, app.admin, 'PATCH', uri, { from: 0, bytes: bytes.subarray(0, 4) })
  const again = uploadService({
    db,
    jobs: { handle: () => {}, schedule: () => {} } as never,
    dataDir: app.stores.settings.dataDir,
    objects: null,
    tokenKey: Buffer.alloc(32),
    isSplit: false,
  })
  expect((await again.files.read(uri))?.offset).toBe(4)
  await touchCrowdUpload(app, app.admin, 'PATCH', uri, { from: 4, bytes: bytes.subarray(4) })
  expect(readFileSync((await again.open(uri)).path, 'utf8')).toBe('0123456789')
})

test('after a day uploads that no crowd took are removed, the others stay', async () => {
  const old = await uploadCrowdFile(app, app.admin, 'old')
  const unfinished = uploadIdOf(await beginCrowdUpload(app, app.admin, 9))
  const taken = await uploadCrowdFile(app, app.admin, 'taken')
  await take(await adminId(), taken)
  await db
    .updateTable('upload')
    .set({ created_at: now() - 86_401 })
    .execute()
  const fresh = await uploadCrowdFile(app, app.admin, 'fresh')
  // Bytes whose row was deleted before a kill.
  const orphan = await uploadCrowdFile(app, app.admin, 'orphan')
  await uploads.forget(orphan)
  const yesterday = now() - 86_401
  for (const path of [orphan, `${orphan}.json`]) utimesSync(uploads.files.pathOf(path), yesterday, yesterday)

  await uploads.sweep(new AbortController().signal)
  const left = await db.selectFrom('upload').select('id').execute()
  expect(left.map((row) => row.id).toSorted()).toEqual([fresh, taken].toSorted())
  const there = (id: string) => existsSync(uploads.files.pathOf(id))
  expect([old, unfinished, taken, fresh, orphan].map(there)).toEqual([false, false, true, true, false])
})

test('who may only look, everywhere, uploads nothing', async () => {
  const adv = await anAdvertiser(app)
  const reader = await app.viewer('reader', [adv])
  const { list } = await app.admin.get(listViewers)
  const id = list.find(({ username }) => username === 'reader')?.id ?? 0
  expect((await beginCrowdUpload(app, reader, 10, 'ids.txt')).status).toBe(201)
  await app.admin.get(updateViewer, { params: { id }, body: { read_only_adv_ids: [adv] } })
  const refused = await beginCrowdUpload(app, reader, 10, 'ids.txt')
  expect(await refused.json()).toMatchObject({ code: FAULTS.readOnly.code })
})
