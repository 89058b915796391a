import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { getImport, type ImportMapping, previewImport, refusedRowsPath, startImport } from '#contract/import.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { startS3 } from '../../testing/s3-store.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadToStore } from '../../testing/upload.ts'
import { PREVIEW_BYTES } from './uploads.ts'

const store = await startS3()
const app = await testApp({ OBJECT_STORE_URL: store.url })
afterAll(async () => {
  await app.close()
  await store.close()
})
beforeEach(() => app.reset())
const { db } = app.stores.postgres
const { dataDir } = app.stores.settings

const USERS: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }

test('a large file is previewed from its beginning and imported whole; no copy of it stays', async () => {
  const adv_id = await anAdvertiser(app)
  const pad = 'x'.repeat(10_000)
  const rows = Math.ceil(PREVIEW_BYTES / pad.length) + 200
  const lines = Array.from({ length: rows }, (_, i) => `${i % 50 === 7 ? '' : i},${pad}`)
  const { uri, key } = await uploadToStore(app.admin, 'import', `id,pad\n${lines.join('\n')}\n`, 'people.csv')
  expect(key).toMatch(/^import-uploads\/\d+\//)
  const preview = await app.admin.get(previewImport, { body: { upload_id: uri, kind: 'users' } })
  expect([preview.columns, preview.rows.length]).toEqual([['id', 'pad'], 50])
  // Neither the preview nor the check of columns downloads the whole file.
  expect(readdirSync(join(dataDir, 'uploads'))).toEqual([])

  const { id } = await app.admin.get(startImport, {
    body: { adv_id, upload_id: uri, mapping: { ...USERS, skip: ['pad'] } },
  })
  await app.settled()
  const refused = lines.filter((line) => line.startsWith(',')).length
  expect(await app.admin.get(getImport, { params: { id } })).toMatchObject({
    status: 'done',
    report: { rows, stored: rows - refused, refused },
  })
  expect(store.object(key)).toBeNull()
  expect(readdirSync(join(dataDir, 'uploads'))).toEqual([])
  expect(await db.selectFrom('upload').selectAll().execute()).toEqual([])

  // The page may be served by another process than the one that imported.
  rmSync(join(dataDir, 'import', `refused-${id}.csv`))
  const answer = await app.app.inject({ url: refusedRowsPath(id), headers: { cookie: app.admin.cookie } })
  expect(answer.statusCode).toBe(200)
  expect(answer.body.split('\n')[0]).toBe('\ufeffid,pad,原文件行号,未导入原因')
  expect(answer.body.trimEnd().split('\n')).toHaveLength(refused + 1)
})

test('an upload is removed a day after its import failed, and not while the import waits', async () => {
  const adv_id = await anAdvertiser(app)
  const { uri, key } = await uploadToStore(app.admin, 'import', 'id\n1\n', 'people.csv')
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id: uri, mapping: USERS } })
  await app.settled()
  const { uri: other, key: otherKey } = await uploadToStore(app.admin, 'import', 'id\n2\n', 'more.csv')
  const yesterday = { created_at: Math.floor(Date.now() / 1000) - 86_401 }
  await db.updateTable('upload').set(yesterday).execute()
  await db.updateTable('import').set({ status: 'waiting', path: other, state: null }).where('id', '=', id).execute()
  await app.services.uploads.sweep(new AbortController().signal)
  expect([store.object(key), store.object(otherKey)?.toString()]).toEqual([null, 'id\n2\n'])
  await db.updateTable('import').set({ status: 'failed' }).where('id', '=', id).execute()
  await app.services.uploads.sweep(new AbortController().signal)
  expect(store.object(otherKey)).toBeNull()
})
