import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { listWriteKeys, makeWriteKey, revokeWriteKey, showWriteKey, WRITE_KEYS_MAX } from '#contract/tracking.ts'
import { listViewers } from '#contract/viewer.ts'
import { makeWriteKey as command } from '../../commands/write-key.ts'
import { loadViewer } from '../../http/viewer.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { track } from '../../testing/tracking.ts'
import { writeKeyService } from './keys.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

const EVENT = { event: '支付', userId: 'u1' }

test('a key is made, shown again, used and revoked, and each is audited without the key', async () => {
  const adv_id = await anAdvertiser(app)
  const { id, key } = await app.admin.get(makeWriteKey, { body: { adv_id, kind: 'page', name: '商城' } })
  expect(await app.admin.get(showWriteKey, { params: { id } })).toEqual({ id, key, origin: null })
  const listed = await app.admin.get(listWriteKeys, { query: { adv_id } })
  expect(listed.list).toMatchObject([{ id, kind: 'page', name: '商城', tail: key.slice(-4), last_used: null }])
  expect(JSON.stringify(listed)).not.toContain(key)

  expect(await track(app, '/v1/track', key, EVENT)).toMatchObject({ status: 200 })
  expect((await app.admin.get(listWriteKeys, { query: { adv_id } })).list[0]?.last_used).toBeGreaterThan(0)

  await app.admin.get(revokeWriteKey, { params: { id } })
  expect(await track(app, '/v1/track', key, EVENT)).toMatchObject({ status: 401, code: FAULTS.writeKeyInvalid.code })
  expect((await app.admin.get(listWriteKeys, { query: { adv_id } })).list).toEqual([])
  expect(await app.admin.call(showWriteKey, { params: { id } })).toMatchObject({ code: FAULTS.notFound.code })

  const { db } = app.stores.postgres
  const audit = await db
    .selectFrom('audit')
    .select(['action', 'detail'])
    .where('action', 'like', 'write_key%')
    .orderBy('id')
    .execute()
  expect(audit.map(({ action }) => action)).toEqual(['write_key.create', 'write_key.show', 'write_key.revoke'])
  const stored = await db.selectFrom('write_key').selectAll().execute()
  expect(JSON.stringify([audit, stored])).not.toContain(key)
  await app.settled()
})

test('a key is shown with the address that calls are sent to, where one is set', async () => {
  const { db } = app.stores.postgres
  const { id } = await app.admin.get(makeWriteKey, { body: { adv_id: await anAdvertiser(app), name: 'a' } })
  const keys = writeKeyService({ db, secrets: app.stores.secrets, publicUrl: 'https://crowds.example', onRevoked() {} })
  const admin = await db.selectFrom('viewer').select('id').where('username', '=', 'admin').executeTakeFirstOrThrow()
  const viewer = await loadViewer(db, admin.id)
  if (!viewer) throw new Error('there is an administrator')
  expect(await keys.show(viewer, id)).toMatchObject({ id, origin: 'https://crowds.example' })
})

test("a stranger learns and revokes nothing of another advertiser's keys", async () => {
  const adv_id = await anAdvertiser(app)
  const { id, key } = await app.admin.get(makeWriteKey, { body: { adv_id, name: 'a' } })
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  expect(await stranger.call(listWriteKeys, { query: { adv_id } })).toMatchObject({ code: FAULTS.notMember.code })
  expect(await stranger.call(makeWriteKey, { body: { adv_id, name: 'b' } })).toMatchObject({
    code: FAULTS.notMember.code,
  })
  for (const one of [showWriteKey, revokeWriteKey])
    expect(await stranger.call(one, { params: { id } })).toMatchObject({ code: FAULTS.notFound.code })
  expect(await track(app, '/v1/track', key, EVENT)).toMatchObject({ status: 200 })
  await app.settled()
})

test('a key opens no other call', async () => {
  const adv_id = await anAdvertiser(app)
  const { key } = await app.admin.get(makeWriteKey, { body: { adv_id, name: 'a' } })
  for (const authorization of [`Bearer ${key}`, `Basic ${Buffer.from(`${key}:`).toString('base64')}`]) {
    for (const url of [listViewers.path, `${listWriteKeys.path}?adv_id=${adv_id}`]) {
      const answer = await app.app.inject({ url, headers: { authorization } })
      expect(answer.statusCode).toBe(401)
    }
  }
})

test('an advertiser has so many keys at most, also when two are made at once', async () => {
  const adv_id = await anAdvertiser(app)
  const made = await Promise.all(
    Array.from({ length: WRITE_KEYS_MAX + 1 }, (_, no) =>
      app.admin.call(makeWriteKey, { body: { adv_id, name: `密钥${no}` } }),
    ),
  )
  expect(made.filter(({ code }) => code === 0)).toHaveLength(WRITE_KEYS_MAX)
  expect(made.find(({ code }) => code !== 0)).toMatchObject({ code: FAULTS.writeKeysFull.code })
})

test('the command line makes a key and prints it last', async () => {
  const adv_id = await anAdvertiser(app, '品牌')
  const printed: string[] = []
  const run = (...argv: string[]) =>
    command.run(
      { stores: app.stores, services: app.services },
      { argv, cwd: '/', signal: new AbortController().signal },
      { progress: () => {}, print: (line) => printed.push(line) },
    )
  await run('--advertiser', '品牌')
  const key = printed.at(-1) ?? ''
  expect(await track(app, '/v1/track', key, EVENT)).toMatchObject({ status: 200 })
  expect((await app.admin.get(listWriteKeys, { query: { adv_id } })).list).toMatchObject([
    { kind: 'server', creator: '命令行', tail: key.slice(-4) },
  ])
  await expect(run('--advertiser', '没有')).rejects.toThrow('广告主「没有」不存在')
  await expect(run()).rejects.toThrow('缺少 --advertiser')
  await expect(run('--advertiser', '品牌', '--kind', 'x')).rejects.toThrow('--kind x 不正确')
  await app.settled()
})
