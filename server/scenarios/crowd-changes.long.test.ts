import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { computeRuleCrowd, copyRuleCrowd, getRuleCrowd, setCrowdUpdates } from '#contract/rule-crowd.ts'
import { listWebhooks, saveWebhook } from '#contract/webhook.ts'
import { transaction } from '../postgres/transaction.ts'
import { aCrowd, anAdvertiser, aTag, leaf, setTag, tagged } from '../testing/builders.ts'
import { testApp } from '../testing/test-app.ts'

type Message = Record<string, unknown> & { event: string; version: number; since_version: number }
const received: { path: string; body: Message }[] = []
/** How many of the next calls the receiver refuses. */
let refusals = 0
const receiver = createServer((request, answer) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const isRefused = refusals > 0
    if (isRefused) refusals--
    else received.push({ path: request.url ?? '', body: JSON.parse(text) })
    answer.writeHead(isRefused ? 500 : 204).end()
  })
})
await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

const app = await testApp({ WEBHOOK_ALLOW: url, PUBLIC_URL: 'https://console.test' })
const { db } = app.stores.postgres
let adv = 0
let tag = 0
let id = 0
let made = 1

afterAll(async () => {
  receiver.close()
  await app.close()
})
beforeEach(async () => {
  await app.reset()
  received.length = 0
  refusals = 0
  made = 1
  adv = await anAdvertiser(app)
  tag = await aTag(app, adv, range(0, 100), '标签')
  id = (await aCrowd(app, adv, leaf('a', 'n', tagged(tag)), { name: '老客' })).id
  await app.settled()
  await app.admin.get(saveWebhook, { body: { adv_id: adv, kind: 'json', url: `${url}/all` } })
})

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
const tellAt = (tellShare: number | null, crowd = id) =>
  app.admin.get(setCrowdUpdates, { params: { id: crowd }, body: { tellShare } })
/** The crowd of these people, as a new version; answers its number. */
async function become(uids: readonly number[]): Promise<number> {
  made += 1
  await setTag(app, adv, tag, uids, made)
  await app.admin.get(computeRuleCrowd, { params: { id } })
  await app.settled()
  return (await db.selectFrom('people').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version
}
const told = () => received.map(({ body }) => [body.since_version, body.version])

test('a change beyond the share is told once, with exact numbers, and a smaller one is not', async () => {
  await tellAt(10)
  await become(range(0, 105))
  expect(received).toEqual([])
  const version = await become(range(20, 110))
  expect(received).toHaveLength(1)
  const sizes = await db.selectFrom('crowd_size').select(['version', 'counted_at']).orderBy('no').execute()
  expect(received[0]?.body).toEqual({
    ...{ event: 'crowd.changed', title: '人群变化', kind: 'changed', adv_id: adv, crowd_id: id, crowd: '老客' },
    ...{ version, since_version: sizes[0]?.version, old_size: 100, new_size: 90, entered: 10, left: 20 },
    ...{ share: 30, over: 10, since: sizes[0]?.counted_at, at: sizes.at(-1)?.counted_at },
    link: `https://console.test/cowd-manage/cowd-assets/profile/${id}?tab=sizes&from=${sizes[0]?.version}&to=${version}`,
  })
  // The same people again.
  await become(range(20, 110))
  expect(received).toHaveLength(1)
})

test('small changes add up: each version is compared with the one told last', async () => {
  await tellAt(10)
  const versions: number[] = []
  for (const size of [104, 108, 112, 116, 120, 124]) versions.push(await become(range(0, size)))
  // 12 of 100, then 12 of 112.
  expect(received.map(({ body }) => [body.old_size, body.new_size])).toEqual([
    [100, 112],
    [112, 124],
  ])
  expect(told()).toEqual([
    [1, versions[2]],
    [versions[2], versions[5]],
  ])
})

test('versions that came into force before the job ran are each told, in their order', async () => {
  await tellAt(10)
  await become(range(0, 150))
  await become(range(0, 150))
  await become(range(0, 200))
  const before = told()
  expect(before).toHaveLength(2)
  // As if nothing had been looked at since the first version.
  await db.updateTable('people').set({ told_version: 1, checked_version: 1 }).where('id', '=', id).execute()
  await become(range(0, 200))
  expect(told().slice(2)).toEqual(before)
})

test('a run that is repeated, and runs side by side, tell nothing twice', async () => {
  await tellAt(10)
  await become(range(0, 200))
  expect(received).toHaveLength(1)
  const again = () => transaction(db, (tx) => app.stores.jobs.send(tx, 'rule-crowd.tell-changes', { people_id: id }))
  await Promise.all([again(), again(), again()])
  await app.settled()
  expect(received).toHaveLength(1)
})

test('a crowd that had nobody is told as soon as somebody enters', async () => {
  await become([])
  await tellAt(1000)
  await become([1])
  expect(received[0]?.body).toMatchObject({ old_size: 0, new_size: 1, entered: 1, left: 0, share: null })
})

test('the first version of a crowd tells nothing', async () => {
  const other = await aCrowd(app, adv, leaf('b', 'n', tagged(tag)))
  await tellAt(1, other.id)
  await app.settled()
  expect(received).toEqual([])
  await db.updateTable('people').set({ version: 0, magnitude: null }).where('id', '=', id).execute()
  await tellAt(1)
  await become(range(0, 50))
  expect(received).toEqual([])
  await become(range(0, 60))
  expect(received).toMatchObject([{ body: { crowd_id: id, old_size: 50, new_size: 60 } }])
})

test('crowds without a share, copies and crowds whose share was taken away tell nothing', async () => {
  await become(range(0, 500))
  await tellAt(10)
  const copy = await app.admin.get(copyRuleCrowd, { params: { id }, body: {} })
  await app.settled()
  expect(await app.admin.get(getRuleCrowd, { params: { id: copy.id } })).toMatchObject({ tellShare: null })
  await tellAt(null)
  await become(range(0, 900))
  expect(received).toEqual([])
  // Given again: from here on.
  await tellAt(10)
  await become(range(0, 901))
  expect(received).toEqual([])
})

test('another share is compared with the version told last too', async () => {
  await tellAt(50)
  await become(range(0, 120))
  await tellAt(10)
  await become(range(0, 121))
  expect(received).toMatchObject([{ body: { old_size: 100, new_size: 121, over: 10 } }])
})

test('the version told last keeps its people while others are cleared; after 90 days the oldest left takes its place', async () => {
  await tellAt(1000)
  await become(range(0, 200))
  await become(range(0, 300))
  await db.updateTable('crowd_size').set({ replaced_at: 1 }).where('version', '=', 1).execute()
  await app.services.oldMembers.clear()
  await tellAt(10)
  await become(range(0, 400))
  expect(received).toMatchObject([{ body: { old_size: 200, new_size: 400 } }])
})

test('addresses are told only of what they ask for, and a refused message is sent again', async () => {
  await app.admin.get(saveWebhook, { body: { adv_id: adv, kind: 'json', url: `${url}/pushes`, events: ['push'] } })
  const { id: crowds } = await app.admin.get(saveWebhook, {
    body: { adv_id: adv, kind: 'json', url: `${url}/crowds`, events: ['crowd'] },
  })
  const { list } = await app.admin.get(listWebhooks, { query: { adv_id: adv } })
  expect(list.map(({ events }) => events)).toEqual([['push', 'crowd', 'report'], ['push'], ['crowd']])
  await app.admin.get(saveWebhook, { body: { id: crowds, adv_id: adv, kind: 'json' } })
  refusals = 1
  await tellAt(10)
  await become(range(0, 300))
  expect(received.map(({ path }) => path).toSorted()).toEqual(['/all', '/crowds'])
  for (const events of [[], ['push', 'push'], ['other']]) {
    expect(
      await app.admin.call(saveWebhook, { body: { adv_id: adv, kind: 'json', url, events: events as never } }),
    ).toMatchObject({ status: 400 })
  }
})

test('a wrong share is refused', async () => {
  for (const tellShare of [0, -1, 1001, 2.5]) {
    expect(await app.admin.call(setCrowdUpdates, { params: { id }, body: { tellShare } })).toMatchObject({
      status: 400,
    })
  }
})
