import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getImport, startImport } from '#contract/import.ts'
import { listLately, listWriteKeys } from '#contract/tracking.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import {
  forget,
  importFile,
  oneIdOf,
  phoneOf,
  receiptOf,
  traces,
  USERS,
  userLine,
  usersFile,
} from '../../testing/forget-world.ts'
import { testApp } from '../../testing/test-app.ts'
import { aWriteKey, countedEvents, people, track } from '../../testing/tracking.ts'
import { uploadTo } from '../../testing/upload.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

const app = await testApp()
afterAll(() => app.close())

let adv_id: number
let key: string
const { db } = app.stores.postgres
const engine = app.stores.warehouse.load.acrossShards

const event = (userId: string, messageId: string, more: object = {}) => ({
  ...{ type: 'track', event: '支付', userId, messageId },
  ...more,
})
const identify = (userId: string, messageId: string, more: object = {}) => ({
  ...{ type: 'identify', userId, messageId },
  ...more,
})
const send = (batch: readonly object[]) => track(app, '/v1/batch', key, { batch })
const lately = () => app.admin.get(listLately, { query: { adv_id, most: 200 } })
const refusals = async () =>
  (await lately()).refusals.map(({ outcome, times, is_kept }) => [outcome.code, times, is_kept])
const uidOf = async (no: number) => {
  const [row] = await engine.query<{ uid: number }>(`SELECT uid FROM person_key WHERE one_id = '${oneIdOf(no)}'`)
  return row?.uid ?? 0
}
const messagesIn = async (receipt: number) =>
  (await receiptOf(app, receipt)).stores.find(({ store }) => store === 'messages')

/** Lets messages be acknowledged, and keeps them from being counted until `resume`. */
async function holdMessages() {
  const hold = vi.spyOn(app.stores.jobs, 'send').mockImplementation(async (_tx, name, ...rest) => {
    if (name === 'tracking.drain') return { task_id: null } as never
    return real(_tx, name, ...rest)
  })
  return async () => {
    hold.mockRestore()
    await app.services.tracking.catchUp()
    await app.settled()
  }
}
const real: typeof app.stores.jobs.send = app.stores.jobs.send.bind(app.stores.jobs)

beforeAll(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  key = await aWriteKey(app, adv_id)
  await importFile(app, adv_id, usersFile([1, 2, 3, 4].map((no) => userLine(no))), USERS)
})

test('messages of the person that wait or were just counted are removed, others are counted, and the receipt says how many', async () => {
  const uid = await uidOf(1)
  await send([
    event(oneIdOf(1), 'm1', { anonymousId: 'd1' }),
    identify(oneIdOf(1), 'i1', { anonymousId: 'd1', traits: { city: '北京' } }),
    event(oneIdOf(2), 'm2'),
    // Refused, and named in the list of refusals.
    event(oneIdOf(1), `of-${oneIdOf(1)}`, { event: `call ${phoneOf(1)}`, timestamp: '昨天' }),
  ])
  await app.settled()
  const resume = await holdMessages()
  await send([
    event(oneIdOf(1), 'm3', { properties: { 号码: phoneOf(1) } }),
    event('', 'm4', { anonymousId: 'd1' }),
    identify('somebody-else', 'i2', { traits: { phone: phoneOf(1) } }),
    event(oneIdOf(2), 'm5'),
  ])
  await vi.waitFor(async () => expect((await lately()).refusals.length).toBe(1), { timeout: 10_000 })
  expect(await traces(app, adv_id, 1, uid)).toContain('track_message')
  expect(await traces(app, adv_id, 1, uid)).toContain('public.tracking_refusal')

  const { id } = await forget(app, adv_id)
  await app.settled()
  expect(await receiptOf(app, id)).toMatchObject({ status: 'done' })
  expect(await messagesIn(id)).toMatchObject({ status: 'done', found: 6 })
  expect(await traces(app, adv_id, 1, uid)).toEqual([])
  const shown = await lately()
  expect(shown.messages.map(({ message_id }) => message_id).toSorted()).toEqual(['m2', 'm5'])
  expect(shown.refusals.map(({ event, message_id }) => event + message_id)).toEqual(['', ''])
  expect(await refusals()).toEqual([
    ['track_removed_on_request', 6, false],
    ['track_time_unreadable', 1, false],
  ])

  await resume()
  expect(await countedEvents(app, adv_id)).toEqual({ 支付: [1, 2] })
  expect(await people(app, adv_id)).not.toHaveProperty('somebody-else')
})

test('messages that come later are refused, whatever id of the person they name, and this is counted and shown', async () => {
  const before = await people(app, adv_id)
  await send([
    event(oneIdOf(1), 'n1'),
    event('', 'n2', { anonymousId: 'd1' }),
    identify(oneIdOf(1), 'n3', { anonymousId: 'd9', traits: { city: '上海' } }),
    { type: 'alias', userId: 'u-new', previousId: oneIdOf(1), messageId: 'n4' },
    identify('u-other', 'n5', { traits: { phone: phoneOf(1) } }),
    // Somebody else on the person's device is counted, and the device does not become theirs.
    identify(oneIdOf(3), 'n6', { anonymousId: 'd1', traits: { city: '广州' } }),
    event(oneIdOf(3), 'n7', { anonymousId: 'd1' }),
  ])
  // The other key's messages are counted apart.
  await track(app, '/v1/batch', await aWriteKey(app, adv_id), { batch: [event(oneIdOf(1), 'n8')] })
  await app.settled()
  const { list } = await app.admin.get(listWriteKeys, { query: { adv_id } })
  const newest = (await lately()).refusals.slice(0, 2)
  expect(newest.map(({ key_id, outcome, times }) => [key_id, outcome.code, times]).toSorted()).toEqual(
    [
      [list[0]?.id, 'row_forgotten', 5],
      [list[1]?.id, 'row_forgotten', 1],
    ].toSorted(),
  )
  expect(await people(app, adv_id)).toEqual({ ...before, [oneIdOf(3)]: ['支付'] })
  expect(await traces(app, adv_id, 1, -1)).toEqual([])
  expect(await engine.query('SELECT from_id FROM person_link FINAL')).toEqual([])
  expect((await lately()).messages.map(({ message_id }) => message_id).toSorted()).toEqual(['m2', 'm5', 'n6', 'n7'])
  const rows = await db.selectFrom('import').select(['report']).where('source', '=', 'tracking').execute()
  for (const { report } of rows) {
    expect((report?.stored ?? 0) + (report?.duplicate ?? 0) + (report?.refused ?? 0)).toBe(report?.rows)
  }
})

test('what a person sent from a device that somebody else used before them is not counted as theirs', async () => {
  const sentAt = new Date().toISOString()
  const at = (hour: number) => ({ timestamp: `2026-03-04T0${hour}:00:00Z` })
  await track(app, '/v1/batch', key, {
    sentAt,
    batch: [
      identify(oneIdOf(3), 's1', { anonymousId: 'shared', ...at(1) }),
      identify(oneIdOf(2), 's2', { anonymousId: 'shared', ...at(3) }),
    ],
  })
  await app.settled()
  const before = await countedEvents(app, adv_id)
  const resume = await holdMessages()
  await track(app, '/v1/batch', key, {
    sentAt,
    batch: [
      event('', 's3', { anonymousId: 'shared', event: '分享', ...at(2) }),
      event('', 's4', { anonymousId: 'shared', event: '分享', ...at(4) }),
    ],
  })
  const { id } = await forget(app, adv_id, 2)
  await app.settled()
  await resume()
  expect((await messagesIn(id))?.status).toBe('done')
  expect((await countedEvents(app, adv_id)).分享).toEqual([1, 1])
  expect(before).not.toHaveProperty('分享')
  const [row] = await engine.query<{ one_id: string }>(
    `SELECT one_id FROM event INNER JOIN person_key USING (uid) WHERE name = '分享'`,
  )
  expect(row?.one_id).toBe(oneIdOf(3))
})

test('a file that was uploaded before and is imported after refuses the person, and the receipt waits for it', async () => {
  const upload_id = await uploadTo(app, app.admin, usersFile([userLine(4), userLine(5)]))
  const { id } = await forget(app, adv_id, 4)
  await app.settled()
  const uploads = async () => (await receiptOf(app, id)).stores.find(({ store }) => store === 'uploads')?.status
  expect(await receiptOf(app, id)).toMatchObject({ status: 'done' })
  expect(await uploads()).toBe('waiting')
  const { id: later } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping: USERS } })
  await app.settled()
  const { report } = await app.admin.get(getImport, { params: { id: later } })
  expect(report).toMatchObject({ rows: 2, stored: 1, refused: 1, reasons: [{ reason: '已删除的用户', rows: 1 }] })
  await app.services.forgetting.tidy()
  expect(await uploads()).toBe('done')
  expect(await traces(app, adv_id, 4, -1)).toEqual([])
})
