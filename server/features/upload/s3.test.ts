import { existsSync, readFileSync } from 'node:fs'
import { AwsClient } from 'aws4fetch'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createUpload,
  finishUpload,
  getUploadCredentials,
  removeUpload,
  signUpload,
  type UploadStep,
} from '#contract/upload.ts'
import { transaction } from '../../postgres/transaction.ts'
import { openObjectStore } from '../../storage/object-store.ts'
import type { Caller } from '../../testing/caller.ts'
import { type S3Store, startS3 } from '../../testing/s3-store.ts'
import { testApp } from '../../testing/test-app.ts'
import { beginCrowdUpload } from '../../testing/upload.ts'
import { now } from '../../time/clock.ts'
import { uploadService } from './service.ts'

const MB = 1024 ** 2
const store = await startS3()
const app = await testApp({ OBJECT_STORE_URL: store.url })
afterAll(async () => {
  await app.close()
  await store.close()
})
beforeEach(() => app.reset())
const { db } = app.stores.postgres
const uploads = app.services.uploads

const credentialsOf = async (caller: Caller, prefix?: string) => {
  const given = await caller.get(getUploadCredentials, { query: prefix === undefined ? {} : { prefix } })
  if (given.kind !== 's3') throw new Error('the store is not the object store')
  return given
}
const begin = async (caller: Caller, size: number, name = 'ids.txt') => {
  const { prefix } = await credentialsOf(caller)
  return caller.get(createUpload, { body: { name, size, prefix } })
}
const step = async (uri: string, what: UploadStep, body?: string | Buffer) => {
  const METHODS = { create: 'POST', part: 'PUT', list: 'GET', complete: 'POST', abort: 'DELETE' } as const
  const { url } = await app.admin.get(signUpload, { params: { uri }, body: what })
  return fetch(url, {
    method: METHODS[what.step],
    ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
  })
}
const uploadIdIn = async (answer: Response) => /<UploadId>([^<]+)/.exec(await answer.text())?.[1] ?? ''
const joined = (parts: readonly (string | null)[]) =>
  `<CompleteMultipartUpload>${parts.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag}</ETag></Part>`).join('')}</CompleteMultipartUpload>`

/** Uploads a file in parts as the page does; returns its uri. */
async function send(content: Buffer, announced = content.length): Promise<{ uri: string; key: string }> {
  const made = await begin(app.admin, announced)
  const upload_id = await uploadIdIn(await step(made.uri, { step: 'create' }))
  const etags: (string | null)[] = []
  for (let from = 0; from < content.length; from += 5 * MB) {
    const part = await step(
      made.uri,
      { step: 'part', upload_id, part: etags.length + 1 },
      content.subarray(from, from + 5 * MB),
    )
    expect(part.status).toBe(200)
    etags.push(part.headers.get('etag'))
  }
  const done = await step(made.uri, { step: 'complete', upload_id }, joined(etags))
  expect(done.status).toBe(200)
  return made
}

describe('an object store without temporary keys', () => {
  test('the server signs each request of the page', async () => {
    expect(await credentialsOf(app.admin)).toMatchObject({
      bucket: 'renqun',
      region: 'us-east-1',
      prefix: expect.stringMatching(/^crowd-uploads\/\d+\/[0-9a-f]{16}\/$/),
      accessKeyId: null,
      accessKeySecret: null,
      securityToken: null,
    })
  })

  test('parts are sent, listed and joined, and the server checks the object before the upload counts', async () => {
    const content = Buffer.alloc(6 * MB, 'line\n')
    const { uri, key } = await begin(app.admin, content.length)
    const upload_id = await uploadIdIn(await step(uri, { step: 'create' }))
    const first = await step(uri, { step: 'part', upload_id, part: 1 }, content.subarray(0, 5 * MB))
    const listed = await (await step(uri, { step: 'list', upload_id })).text()
    expect(listed).toContain('<PartNumber>1</PartNumber>')
    expect(listed).not.toContain('<PartNumber>2</PartNumber>')
    expect(await app.admin.call(finishUpload, { params: { uri } })).toMatchObject({ msg: '文件尚未上传完成' })
    const second = await step(uri, { step: 'part', upload_id, part: 2 }, content.subarray(5 * MB))
    const etags = [first, second].map((part) => part.headers.get('etag'))
    expect((await step(uri, { step: 'complete', upload_id }, joined(etags))).status).toBe(200)
    await app.admin.get(finishUpload, { params: { uri } })
    await app.admin.get(finishUpload, { params: { uri } })
    expect(store.object(key)?.equals(content)).toBe(true)

    const { id } = await db.selectFrom('viewer').select('id').executeTakeFirstOrThrow()
    await transaction(db, (tx) => uploads.take(tx, id, uri, 1))
    const { path } = await uploads.open(uri)
    expect(readFileSync(path).equals(content)).toBe(true)
    await uploads.remove(uri)
    expect([store.object(key), existsSync(path)]).toEqual([null, false])
  })

  test('an object whose size differs from the announced one cannot be used', async () => {
    const { uri } = await send(Buffer.alloc(100, 'x'), 99)
    expect(await app.admin.call(finishUpload, { params: { uri } })).toMatchObject({
      msg: '收到的文件大小与上传前不一致，请重新上传',
    })
    const { id } = await db.selectFrom('viewer').select('id').executeTakeFirstOrThrow()
    await expect(transaction(db, (tx) => uploads.take(tx, id, uri, 1))).rejects.toThrow('包含未上传文件')
  })

  test('a signed URL allows only its own step', async () => {
    const { uri } = await begin(app.admin, 10)
    const upload_id = await uploadIdIn(await step(uri, { step: 'create' }))
    const { url } = await app.admin.get(signUpload, { params: { uri }, body: { step: 'part', upload_id, part: 1 } })
    expect((await fetch(url.replace('partNumber=1', 'partNumber=2'), { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403)
    expect((await fetch(url.replace(uri, 'f'.repeat(32)), { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await fetch(url.split('?')[0] ?? '', { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(200)
  })

  test('a cancelled upload leaves neither parts nor a row', async () => {
    const before = store.unfinished()
    const { uri } = await begin(app.admin, 10)
    const upload_id = await uploadIdIn(await step(uri, { step: 'create' }))
    await step(uri, { step: 'part', upload_id, part: 1 }, 'half')
    expect(store.unfinished()).toBe(before + 1)
    await app.admin.get(removeUpload, { params: { uri } })
    expect(store.unfinished()).toBe(before)
    expect(await app.admin.call(removeUpload, { params: { uri } })).toMatchObject({ status: 404 })
  })

  test.each([
    ['ids.xlsx', 10, '不支持上传该类型文件'],
    ['ids.txt', 0, '不能上传空文件'],
    ['ids.txt', 50 * MB + 1, '单个文件大小不能超过 50M'],
  ])('%s of %i bytes is refused: %s', async (name, size, msg) => {
    const { prefix } = await credentialsOf(app.admin)
    expect(await app.admin.call(createUpload, { body: { name, size, prefix } })).toMatchObject({ status: 400, msg })
  })

  test("a viewer cannot reach another viewer's uploads", async () => {
    const { prefix } = await credentialsOf(app.admin)
    const { uri } = await begin(app.admin, 10)
    const stranger = await app.viewer('陌生人', [])
    const asked = [
      stranger.call(getUploadCredentials, { query: { prefix } }),
      stranger.call(createUpload, { body: { name: 'a.txt', size: 1, prefix } }),
      stranger.call(signUpload, { params: { uri }, body: { step: 'create' } }),
      stranger.call(finishUpload, { params: { uri } }),
      stranger.call(removeUpload, { params: { uri } }),
    ]
    for (const answer of await Promise.all(asked)) expect(answer.status).toBe(404)
  })

  test('the embedded endpoint is closed', async () => {
    const service = uploadService({
      db,
      jobs: { handle: () => {}, schedule: () => {} } as never,
      dataDir: app.stores.settings.dataDir,
      objects: openObjectStore(store.url),
      tokenKey: Buffer.alloc(32),
      isSplit: false,
    })
    const viewer = { id: 1 } as never
    await expect(service.begin(viewer, { purpose: 'crowd', name: 'a.txt', size: 1 })).rejects.toMatchObject({
      fault: 'uploadRefused',
    })
    await expect(beginCrowdUpload(app, app.admin, 1)).rejects.toThrow('not the embedded one')
  })

  test('after a day uploads that no crowd took are removed from the store too', async () => {
    const { uri, key } = await send(Buffer.from('a\n'))
    const begun = await begin(app.admin, 10)
    await step(
      begun.uri,
      { step: 'part', upload_id: await uploadIdIn(await step(begun.uri, { step: 'create' })), part: 1 },
      'x',
    )
    const open = store.unfinished()
    await db
      .updateTable('upload')
      .set({ created_at: now() - 86_401 })
      .execute()
    const fresh = await send(Buffer.from('b\n'))
    await uploads.sweep(new AbortController().signal)
    expect(store.object(key)).toBeNull()
    expect(store.object(fresh.key)?.toString()).toBe('b\n')
    expect(store.unfinished()).toBe(open - 1)
    const left = await db.selectFrom('upload').select('id').execute()
    expect(left.map((row) => row.id)).toEqual([fresh.uri])
    expect(uri).not.toBe(fresh.uri)
  })
})

test.each(['https://store.test/bucket', 'https://key:secret@store.test/', 'https://key@store.test/bucket'])(
  'an incomplete address stops the start: %s',
  (address) => {
    expect(() => openObjectStore(address)).toThrow('设置 OBJECT_STORE_URL 不正确')
  },
)

describe('an object store with temporary keys', () => {
  let withSts: S3Store | undefined
  afterAll(() => withSts?.close())

  test('the keys can only write below their own prefix', async () => {
    withSts = await startS3({ sts: true })
    const objects = openObjectStore(withSts.url)
    const prefix = 'crowd-uploads/7/0123456789abcdef/'
    const given = await objects.assumeRole(prefix, 'renqun-7')
    if (!given) throw new Error('no keys were given')
    expect(given.expires_at - now()).toBeGreaterThan(600)
    const page = new AwsClient({
      accessKeyId: given.accessKeyId,
      secretAccessKey: given.accessKeySecret,
      sessionToken: given.securityToken,
      service: 's3',
      region: objects.region,
      retries: 0,
    })
    const ask = async (method: string, key: string, query = '') =>
      (await page.fetch(`${objects.endpoint}/${key}${query}`, { method, ...(method === 'PUT' ? { body: 'x' } : {}) }))
        .status
    expect(await ask('POST', `${prefix}abc`, '?uploads=')).toBe(200)
    expect(await ask('PUT', `${prefix}abc`)).toBe(200)
    expect(await ask('GET', `${prefix}abc`)).toBe(403)
    expect(await ask('DELETE', `${prefix}abc`)).toBe(403)
    expect(await ask('PUT', 'crowd-uploads/8/0123456789abcdef/abc')).toBe(403)
    expect(await ask('POST', 'crowd-uploads/8/0123456789abcdef/abc', '?uploads=')).toBe(403)
    const forged = new AwsClient({
      accessKeyId: given.accessKeyId,
      secretAccessKey: given.accessKeySecret,
      service: 's3',
      region: objects.region,
      retries: 0,
    })
    expect((await forged.fetch(`${objects.endpoint}/${prefix}abc`, { method: 'PUT', body: 'x' })).status).toBe(403)
  })
})
