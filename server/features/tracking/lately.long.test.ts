import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { updateEvent } from '#contract/tag-field.ts'
import { listLately, listWriteKeys } from '#contract/tracking.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { aWriteKey, track } from '../../testing/tracking.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

test('what came lately is shown at once, with its refusals by reason, of one key or of all', async () => {
  const adv_id = await anAdvertiser(app)
  const [key, other] = [await aWriteKey(app, adv_id), await aWriteKey(app, adv_id, 'page')]
  const strangers = await aWriteKey(app, await anAdvertiser(app))
  const event = { type: 'track', event: '支付', userId: 'u1', messageId: 'm1', properties: { amount: 3 } }
  const bad = { type: 'track', event: '支付', messageId: 'm2' }
  await track(app, '/v1/batch', key, { batch: [event, bad, bad, { type: 'delete', userId: 'u' }] })
  await track(app, '/v1/p', null, { writeKey: other, anonymousId: 'd1', name: '首页' })
  await track(app, '/v1/track', strangers, { event: '秘密', userId: 'x' })
  const lately = (more = {}) => app.admin.get(listLately, { query: { adv_id, ...more } })

  const { messages, minutes } = await lately()
  expect(messages).toMatchObject([
    { kind: 'page', event: '浏览页面', title: '首页', anonymous_id: 'd1', user_id: '' },
    { kind: 'track', event: '支付', user_id: 'u1', message_id: 'm1', properties: [{ name: 'amount', text: '3' }] },
  ])
  expect(minutes).toHaveLength(15)
  expect(minutes.reduce((sum, one) => sum + one.messages, 0)).toBe(2)
  await expect.poll(async () => (await lately()).refusals.length, { timeout: 10_000 }).toBe(2)
  expect((await lately()).refusals).toMatchObject([
    { outcome: { code: 'track_kind_unknown' }, reason: '不认识的消息类型「delete」', kind: '', times: 1 },
    { outcome: { code: 'track_without_id' }, event: '支付', message_id: 'm2', times: 2, is_kept: false },
  ])
  const { list } = await app.admin.get(listWriteKeys, { query: { adv_id } })
  const page = await lately({ key_id: list.find(({ kind }) => kind === 'page')?.id })
  expect([page.messages.length, page.refusals.length]).toEqual([1, 0])
  expect((await lately({ most: 1 })).messages).toHaveLength(1)

  await app.settled()
  expect((await lately()).messages.map(({ is_counted }) => is_counted)).toEqual([true, true])
})

test('a call that was refused as a whole is listed with its key, and a stranger’s is not', async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  const page = await aWriteKey(app, adv_id, 'page')
  const bodies: [path: string, key: string | null, body: unknown][] = [
    ['/v1/batch', key, '{"batch":['],
    ['/v1/track', key, '[]'],
    ['/v1/batch', key, { batch: {} }],
    ['/v1/batch', key, { batch: Array.from({ length: 1001 }, () => ({})) }],
    ['/v1/batch', key, { more: 'x'.repeat(500 * 1024) }],
    ['/v1/batch', null, { writeKey: page, batch: 3 }],
    ['/v1/batch', 'unknown', '{"batch":['],
    ['/v1/batch', 'unknown', { more: 'x'.repeat(500 * 1024) }],
    ['/v1/batch', null, '{"batch":['],
  ]
  for (const [path, by, body] of bodies) {
    const { status } = await track(app, path, by, body)
    expect(status).toBeGreaterThanOrEqual(400)
  }
  const listed = async () => (await app.admin.get(listLately, { query: { adv_id } })).refusals
  await expect.poll(async () => (await listed()).length, { timeout: 10_000 }).toBe(6)
  const { list } = await app.admin.get(listWriteKeys, { query: { adv_id } })
  const kindOf = (id: number | null) => list.find((one) => one.id === id)?.kind
  expect((await listed()).map((one) => [one.outcome.code, kindOf(one.key_id), one.times, one.is_kept]).sort()).toEqual(
    [
      ['track_call_unreadable', 'server', 1, false],
      ['track_not_an_object', 'server', 1, false],
      ['track_batch_not_a_list', 'server', 1, false],
      ['track_batch_too_many', 'server', 1, false],
      ['track_call_too_large', 'server', 1, false],
      ['track_batch_not_a_list', 'page', 1, false],
    ].sort(),
  )
})

test('a message whose id was used before is shown as a repeat, which counts nobody', async () => {
  const adv_id = await anAdvertiser(app)
  const [page, key] = [await aWriteKey(app, adv_id, 'page'), await aWriteKey(app, adv_id)]
  await track(app, '/v1/track', page, { event: '假', anonymousId: 'd', messageId: 'order-1' })
  await app.settled()
  await track(app, '/v1/track', key, { event: '支付', userId: 'u1', messageId: 'order-1' })
  await track(app, '/v1/track', key, { event: '支付', userId: 'u2', messageId: 'order-2' })
  await app.settled()
  const { messages } = await app.admin.get(listLately, { query: { adv_id } })
  expect(Object.fromEntries(messages.map((one) => [one.user_id, [one.is_counted, one.is_repeat]]))).toEqual({
    u1: [true, true],
    u2: [true, false],
    '': [true, false],
  })
})

test('an event is shown by the name that people gave it, once it has one', async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  await track(app, '/v1/track', key, { event: 'pay', userId: 'u1' })
  await app.settled()
  const shown = async () => (await app.admin.get(listLately, { query: { adv_id } })).messages
  expect(await shown()).toMatchObject([{ event: 'pay', display_name: 'pay' }])
  await app.admin.get(updateEvent, { body: { adv_id, name: 'pay', display_name: '支付成功' } })
  expect(await shown()).toMatchObject([{ event: 'pay', display_name: '支付成功' }])
})

test('a stranger sees nothing of it, and who may not see phones sees them masked', async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  const phone = '13800138000'
  await track(app, '/v1/identify', key, { userId: phone, anonymousId: phone, traits: { [phone]: phone, phone } })
  await track(app, '/v1/track', key, { userId: phone, event: phone, messageId: phone, timestamp: phone.repeat(2) })
  await app.settled()
  const blind = await app.viewer('blind', [adv_id])
  await expect
    .poll(async () => (await blind.get(listLately, { query: { adv_id } })).refusals.length, { timeout: 10_000 })
    .toBe(1)
  expect(JSON.stringify(await blind.get(listLately, { query: { adv_id } }))).not.toContain(phone)
  expect(JSON.stringify(await app.admin.get(listLately, { query: { adv_id } }))).toContain(phone)
  const stranger = await app.viewer('stranger', [])
  expect(await stranger.call(listLately, { query: { adv_id } })).toMatchObject({ code: FAULTS.notMember.code })
})

test('a key that sends nothing but refused messages fills no list without end', async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  const { db } = app.stores.postgres
  const rows = Array.from({ length: 600 }, (_, no) => ({
    adv_id,
    key_id: null,
    at: no,
    outcome: '{"code":"row_without_event","params":{}}',
    times: 1,
    kind: '',
    event: '',
    message_id: '',
    is_kept: false,
  }))
  await db.insertInto('tracking_refusal').values(rows).execute()
  const batch = Array.from({ length: 1000 }, (_, no) => ({ type: `${no}`, userId: 'u' }))
  expect(await track(app, '/v1/batch', key, { batch })).toMatchObject({ status: 200, data: { accepted: 0 } })
  await expect
    .poll(async () => (await db.selectFrom('tracking_refusal').select('id').execute()).length, { timeout: 10_000 })
    .toBe(500)
})
