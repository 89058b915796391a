import { afterAll, beforeEach, expect, test } from 'vitest'
import { getLinkUser, listLinkUsers } from '#contract/link-user.ts'
import { listLately } from '#contract/tracking.ts'
import { testApp } from '../../testing/test-app.ts'
import { aWriteKey, countedEvents, people, track } from '../../testing/tracking.ts'
import { alias, attributeTags, did, identify, seen, time, trackedWorld } from '../../testing/tracking-story.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

const world = (kind: 'server' | 'page' = 'server') => trackedWorld(app, kind)
const tags = (adv_id: number) => attributeTags(app, adv_id)

test('a visitor who signs in becomes the user: before, in the same batch and after, and counts are exact', async () => {
  const { adv_id, tell } = await world()
  await tell(seen('d1', '浏览', 1), seen('d1', '加购', 2), seen('d2', '浏览', 3), did('u1', '支付', 4))
  expect(await people(app, adv_id)).toEqual({ 'anon:d1': ['加购', '浏览'], 'anon:d2': ['浏览'], u1: ['支付'] })
  expect((await tags(adv_id)).全部用户).toBe(3)
  await tell(
    seen('d1', '浏览', 5),
    identify('d1', 'u1', 6, { city: '北京', phone: '13800000000', name: '张三' }),
    seen('d1', '分享', 7),
  )
  expect(await people(app, adv_id)).toEqual({ 'anon:d2': ['浏览'], u1: ['分享', '加购', '支付', '浏览', '浏览'] })
  await tell(seen('d1', '浏览', 8))
  expect(await countedEvents(app, adv_id)).toEqual({ 浏览: [2, 4], 加购: [1, 1], 支付: [1, 1], 分享: [1, 1] })
  expect(await tags(adv_id)).toMatchObject({ 全部用户: 2, 北京: 1 })
  const { total } = await app.admin.get(listLinkUsers, { query: { adv_id } })
  expect(total).toBe(2)
  expect(await app.admin.get(getLinkUser, { query: { adv_id, oneID: 'u1' } })).toMatchObject({ total: 6 })
})

test('a second user on a device takes later events only, also those that came late', async () => {
  const { adv_id, tell } = await world()
  await tell(seen('d', 'a', 1), identify('d', 'u', 10), seen('d', 'b', 11))
  await tell(identify('d', 'v', 20), seen('d', 'c', 21), seen('d', 'd', 15))
  expect(await people(app, adv_id)).toEqual({ u: ['a', 'b', 'd'], v: ['c'] })
})

test('two users who shared a device before anything was counted get each their own events', async () => {
  const { adv_id, tell } = await world()
  await tell(seen('d', 'a', 1), seen('d', 'b', 30))
  await tell(identify('d', 'v', 20), identify('d', 'u', 10))
  expect(await people(app, adv_id)).toEqual({ u: ['a'], v: ['b'] })
})

test('an alias merges two users: events, values, identifiers and devices, and later messages too', async () => {
  const { adv_id, tell } = await world()
  await tell(
    identify('d', 'old', 1, { city: '上海', phone: '13900000000' }),
    did('old', '支付', 2),
    did('new', '支付', 3),
    identify('e', 'new', 1, { age: 30 }),
  )
  await tell(alias('old', 'new'))
  expect(await people(app, adv_id)).toEqual({ new: ['支付', '支付'] })
  await tell(did('old', '退款', 5), seen('d', '浏览', 6))
  expect(await people(app, adv_id)).toEqual({ new: ['支付', '支付', '浏览', '退款'] })
  expect(await countedEvents(app, adv_id)).toEqual({ 支付: [1, 2], 退款: [1, 1], 浏览: [1, 1] })
  expect(await tags(adv_id)).toMatchObject({ 全部用户: 1, 上海: 1 })
  const { acrossShards } = app.stores.warehouse.live
  expect(await acrossShards.query('SELECT count() AS n, uniqExact(uid) AS people FROM identifier')).toEqual([
    { n: expect.any(Number), people: 1 },
  ])
  const [keyed] = await acrossShards.query<{ n: number }>(
    'SELECT count() AS n FROM identifier WHERE uid NOT IN (SELECT uid FROM person_key)',
  )
  expect(keyed?.n).toBe(0)
  // Nobody gets a number that somebody had.
  await tell(did('other', '支付', 7))
  const uids = await acrossShards.query<{ one_id: string; uid: number }>(
    'SELECT one_id, uid FROM person_key ORDER BY uid',
  )
  expect(uids.map(({ uid }) => uid)).toEqual([expect.any(Number), 3])
})

test('an alias of a device, a chain and a circle lead to one person', async () => {
  const { adv_id, tell } = await world()
  await tell(seen('d', 'a', 1), did('x', 'b', 2), did('y', 'c', 3), did('z', 'd', 4))
  await tell(alias('d', 'x'), alias('x', 'y'))
  await tell(alias('y', 'z'), alias('z', 'x'))
  expect(await people(app, adv_id)).toEqual({ z: ['a', 'b', 'c', 'd'] })
  expect(await countedEvents(app, adv_id)).toEqual({ a: [1, 1], b: [1, 1], c: [1, 1], d: [1, 1] })
})

test("the newest value counts by the messages' own times, and a repeated identify changes nothing", async () => {
  const { adv_id, tell } = await world()
  const late = { ...identify('d', 'u', 5, { city: '北京' }), messageId: 'm1' }
  await tell({ ...identify('d', 'u', 9, { city: '上海' }), messageId: 'm2' })
  await tell(late)
  await tell(late)
  expect(await tags(adv_id)).toMatchObject({ 全部用户: 1, 上海: 1 })
})

test('the key of a page writes nothing about people who are known by userId, and it is said', async () => {
  const { adv_id, tell } = await world('page')
  await tell(identify('d', 'new', 1, { city: '北京' }))
  expect(await tags(adv_id)).toMatchObject({ 北京: 1 })
  await tell(identify('d', 'new', 2, { city: '上海' }), {
    type: 'identify',
    anonymousId: 'd',
    traits: { city: '广州' },
    timestamp: time(3),
  })
  expect(await tags(adv_id)).toMatchObject({ 全部用户: 1, 北京: 1 })
  expect((await tags(adv_id)).上海).toBeUndefined()
  const { refusals } = await app.admin.get(listLately, { query: { adv_id } })
  expect(refusals).toMatchObject([{ is_kept: true, times: 2, outcome: { code: 'track_known_person' } }])
  // Of a device that nobody signed in on it does.
  await tell({ type: 'identify', anonymousId: 'e', traits: { city: '广州' }, timestamp: time(4) })
  expect(await tags(adv_id)).toMatchObject({ 全部用户: 2, 广州: 1 })
})

test('a page cannot write about a known user by way of a device; of a new user the device is kept', async () => {
  const { adv_id, tell } = await world()
  const page = await aWriteKey(app, adv_id, 'page')
  const tellByPage = async (...batch: object[]) => {
    expect(await track(app, '/v1/batch', page, { batch })).toMatchObject({ status: 200, data: { refused: [] } })
    await app.settled()
  }
  await tell({ type: 'identify', userId: 'u', traits: { city: '北京', phone: '13800000000' }, timestamp: time(1) })
  const { acrossShards } = app.stores.warehouse.live
  const identifiers = () => acrossShards.query('SELECT DISTINCT id_type, value_hash FROM identifier ORDER BY ALL')
  const before = await identifiers()
  const device = (id: string) => ({
    type: 'identify',
    anonymousId: id,
    traits: { city: '别处', phone: '13900000000', vip: '尊享' },
    timestamp: time(5),
  })
  await tellByPage(device('d'), seen('d', '浏览', 6))
  expect(await tags(adv_id)).toMatchObject({ 别处: 1, 尊享: 1 })
  await tellByPage(identify('d', 'u', 7))
  expect(await people(app, adv_id)).toEqual({ u: ['浏览'] })
  expect(await tags(adv_id)).toMatchObject({ 全部用户: 1, 北京: 1 })
  expect((await tags(adv_id)).别处 ?? 0).toBe(0)
  // Nobody else has this attribute, so only the device's own values can tell that its tag has changed.
  expect((await tags(adv_id)).尊享 ?? 0).toBe(0)
  expect(await identifiers()).toEqual(before)

  await tellByPage(device('e'), identify('e', 'new', 7))
  expect(await tags(adv_id)).toMatchObject({ 全部用户: 2, 北京: 1, 别处: 1, 尊享: 1 })
})
