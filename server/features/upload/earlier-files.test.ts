import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { previewImport } from '#contract/import.ts'
import { testApp } from '../../testing/test-app.ts'
import { receivedBytes, sendPart, touchCrowdUpload } from '../../testing/upload.ts'
import { now } from '../../time/clock.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())
const { db } = app.stores.postgres
const { dataDir } = app.stores.settings
const { uploads } = app.services

/** A file as the upload library stores it, with its metadata file. */
function write(directory: string, id: string, content: string, size: number, filename: string) {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, id), content)
  const note = { id, size, offset: 0, metadata: { filename }, creation_date: new Date().toISOString() }
  writeFileSync(join(directory, `${id}.json`), JSON.stringify(note))
}

test('an unfinished file of an import, which had no row, resumes where it stopped', async () => {
  const { id: viewer_id } = await db.selectFrom('viewer').select('id').executeTakeFirstOrThrow()
  const id = `${viewer_id}-${'a'.repeat(32)}`
  write(join(dataDir, 'uploads'), id, 'id,city\n', 12, 'people.csv')
  const [ownerless, broken] = [`999-${'b'.repeat(32)}`, `${viewer_id}-${'c'.repeat(32)}`]
  write(join(dataDir, 'uploads'), ownerless, 'x', 1, 'nobody.csv')
  writeFileSync(join(dataDir, 'uploads', broken), 'x')
  await uploads.takeOver()
  await uploads.takeOver()
  expect(await db.selectFrom('upload').selectAll().execute()).toMatchObject([
    { id, viewer_id, purpose: 'import', name: 'people.csv', size: 12, is_complete: false },
  ])
  expect(await receivedBytes(app, app.admin, id)).toBe(8)
  expect((await sendPart(app, app.admin, id, 8, Buffer.from('1,ab'))).status).toBe(204)
  const preview = await app.admin.get(previewImport, { body: { upload_id: id, kind: 'users' } })
  expect(preview.rows).toEqual([['1', 'ab']])
})

test('an unfinished file of a crowd moves to the directory of both kinds', async () => {
  const { id: viewer_id } = await db.selectFrom('viewer').select('id').executeTakeFirstOrThrow()
  const id = 'd'.repeat(32)
  const old = join(dataDir, 'crowd-uploads')
  write(old, id, 'ab', 4, 'ids.txt')
  writeFileSync(join(old, `${id}.1-x.partial`), 'half of a download')
  const nothing = { object_key: null, multipart_id: null, crowd_file_id: null }
  await db
    .insertInto('upload')
    .values({ id, viewer_id, name: 'ids.txt', size: 4, store: 'tus', ...nothing, created_at: now() })
    .execute()
  await uploads.takeOver()
  expect(existsSync(old)).toBe(false)
  const part = { from: 2, bytes: Buffer.from('cd') }
  expect((await touchCrowdUpload(app, app.admin, 'PATCH', id, part)).status).toBe(204)
  expect(readFileSync((await uploads.open(id)).path, 'utf8')).toBe('abcd')
})
