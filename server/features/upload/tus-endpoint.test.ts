import { existsSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { UPLOAD_PATH } from '#contract/import.ts'
import { CROWD_UPLOAD_PATH, removeUpload } from '#contract/upload.ts'
import { openApp } from '../../app.ts'
import type { Caller } from '../../testing/caller.ts'
import { testApp } from '../../testing/test-app.ts'
import { beginCrowdUpload, beginUpload, crowdTus, uploadIdOf } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())

let stranger: Caller
beforeAll(async () => {
  stranger = await app.viewer('stranger', [])
})

interface Place {
  path: string
  directory: string
  begin(caller: Caller): Promise<Response>
  headers(caller: Caller): Promise<Record<string, string>>
  /** Removes it without the upload protocol: by a call, or as when its import ends. */
  remove(id: string): Promise<unknown>
}

/** The two endpoints that take files, which share their implementation. */
const PLACES: Record<string, Place> = {
  crowds: {
    path: CROWD_UPLOAD_PATH,
    directory: app.services.uploads.files.directory,
    begin: (caller: Caller) => beginCrowdUpload(app, caller, 10, 'ids.txt'),
    headers: crowdTus,
    remove: (uri: string) => stranger.get(removeUpload, { params: { uri } }),
  },
  imports: {
    path: UPLOAD_PATH,
    directory: join(app.stores.settings.dataDir, 'uploads'),
    begin: (caller: Caller) => beginUpload(app, caller, 10, 'people.csv'),
    headers: async ({ cookie }: Caller) => ({ 'tus-resumable': '1.0.0', 'sec-fetch-site': 'same-origin', cookie }),
    remove: (id: string) => app.services.uploads.remove(id),
  },
}

/** Addresses of the caller's own upload that also contain another upload's id where a parser may look for it. */
const ADDRESSES: [string, (own: string, other: string) => string][] = [
  ['in the query', (own, other) => `${own}?x=/${other}`],
  ['in the query, with a slash behind it', (own, other) => `${own}?x=/${other}/`],
  ['in the query, escaped', (own, other) => `${own}?x=%2F${other}`],
  ['behind a second question mark', (own, other) => `${own}?/?/${other}`],
  ['in a semicolon parameter', (own, other) => `${own};x=/${other}`],
  ['as a further segment', (own, other) => `${own}/${other}`],
  ['as a further segment, escaped', (own, other) => `${own}%2F${other}`],
  ['behind dots', (own, other) => `${own}%2F..%2F${other}`],
]

describe.each(Object.entries(PLACES))('only the id in the path selects an upload of %s', (_, place) => {
  const touch = async (method: string, address: string, from = 0) =>
    fetch(`${await app.origin()}${place.path}/${address}`, {
      method,
      headers: {
        ...(await place.headers(stranger)),
        ...(method === 'PATCH'
          ? { 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' }
          : {}),
      },
      ...(method === 'PATCH' ? { body: new Uint8Array(Buffer.from('stranger')) } : {}),
    })
  const aFile = async (caller: Caller) => {
    const begun = await place.begin(caller)
    expect(begun.status).toBe(201)
    return uploadIdOf(begun)
  }
  const bytesOf = (id: string) => readFileSync(join(place.directory, id), 'utf8')

  test.each(ADDRESSES)('another id %s changes nothing in that upload', async (_, addressOf) => {
    const theirs = await aFile(app.admin)
    const patched = await aFile(stranger)
    const removed = await aFile(stranger)

    const head = await touch('HEAD', addressOf(patched, theirs))
    const patch = await touch('PATCH', addressOf(patched, theirs))
    const remove = await touch('DELETE', addressOf(removed, theirs))
    expect(bytesOf(theirs)).toBe('')
    expect(existsSync(join(place.directory, `${theirs}.json`))).toBe(true)
    // An address names the stranger's own upload or none.
    if (patch.status === 204) expect(bytesOf(patched)).toBe('stranger')
    else expect([patch.status, bytesOf(patched)]).toEqual([404, ''])
    if (remove.status === 204) expect(existsSync(join(place.directory, removed))).toBe(false)
    else expect([remove.status, bytesOf(removed)]).toEqual([404, ''])
    expect([200, 404]).toContain(head.status)
    if (head.status === 200) expect(head.headers.get('upload-length')).toBe('10')
  })

  test('a deletion that the protocol refuses leaves the upload as it was', async () => {
    const own = await aFile(stranger)
    const { 'tus-resumable': _, ...headers } = (await place.headers(stranger)) as Record<string, string>
    const refused = await fetch(`${await app.origin()}${place.path}/${own}`, { method: 'DELETE', headers })
    expect(refused.status).toBe(412)
    expect((await touch('PATCH', own)).status).toBe(204)
    expect(bytesOf(own)).toBe('stranger')
  })

  test.each([
    ['POST', { 'tus-resumable': '0.9' }, 412, 'uploadProtocolVersion'],
    ['POST', { 'upload-length': '1e3' }, 400, 'Upload-Length'],
    ['POST', { 'upload-length': '' }, 400, 'Upload-Length'],
    ['POST', { 'upload-concat': 'partial', 'upload-length': '3' }, 400, 'Upload-Concat'],
    ['PATCH', { 'content-type': 'application/offset+octet-stream' }, 400, 'Upload-Offset'],
    ['PATCH', { 'content-type': 'application/offset+octet-stream', 'upload-offset': '-1' }, 400, 'Upload-Offset'],
    ['PATCH', { 'content-type': 'text/plain', 'upload-offset': '0' }, 400, 'Content-Type'],
  ])('a %s that breaks the protocol is refused in the envelope: %j', async (method, wrong, status, said) => {
    const own = method === 'POST' ? '' : `/${await aFile(stranger)}`
    const answer = await fetch(`${await app.origin()}${place.path}${own}`, {
      method,
      headers: { ...(await place.headers(stranger)), ...(wrong as Record<string, string>) },
    })
    expect(answer.status).toBe(status)
    expect(JSON.stringify(await answer.json())).toContain(said)
  })

  test('receiving stops when the upload is removed meanwhile', async () => {
    const own = await aFile(stranger)
    const { port } = new URL(await app.origin())
    const sending = request({
      port,
      method: 'PATCH',
      path: `${place.path}/${own}`,
      headers: {
        ...(await place.headers(stranger)),
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': '10',
      },
    })
    const over = new Promise((ended) => sending.once('error', ended).once('response', ended))
    sending.write('abc')
    await expect.poll(() => bytesOf(own)).toBe('abc')
    await place.remove(own)
    await over
    expect(existsSync(join(place.directory, own))).toBe(false)
    sending.destroy()
  })

  test('a query in the address changes nothing for the upload’s own viewer', async () => {
    const own = await aFile(stranger)
    expect((await touch('PATCH', `${own}?x=/y`)).status).toBe(204)
    expect(bytesOf(own)).toBe('stranger')
    expect((await touch('HEAD', `${own}?x=/y`)).headers.get('upload-offset')).toBe('8')
    expect((await touch('DELETE', `${own}?x=/y`)).status).toBe(204)
    expect(existsSync(join(place.directory, own))).toBe(false)
  })
})

test('a file that stops arriving is answered', async () => {
  const own = uploadIdOf(await beginUpload(app, stranger, 10, 'people.csv'))
  const impatient = await openApp(app.stores, app.services, { webRoot: undefined, bodyStallMs: 300 })
  const { port } = new URL(await impatient.listen({ port: 0, host: '127.0.0.1' }))
  const sending = request({
    port,
    method: 'PATCH',
    path: `${UPLOAD_PATH}/${own}`,
    headers: {
      'tus-resumable': '1.0.0',
      'sec-fetch-site': 'same-origin',
      cookie: stranger.cookie,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': '10',
    },
  })
  const answered = new Promise<IncomingMessage>((done, failed) => sending.once('response', done).once('error', failed))
  sending.write('abc')
  const answer = await answered
  expect([answer.statusCode, answer.headers.connection]).toEqual([FAULTS.bodyStalled.status, 'close'])
  expect(await text(answer)).toContain(FAULTS.bodyStalled.msg)
  await impatient.close()
})
