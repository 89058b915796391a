import { afterAll, beforeEach, expect, test } from 'vitest'
import { type CrowdSchedule, FOLLOWS_DATA } from '#contract/crowd-schedule.ts'
import { CROWD_TAG } from '#contract/rule.ts'
import { computeRuleCrowd, getRuleCrowd, listRuleCrowds, setCrowdUpdates } from '#contract/rule-crowd.ts'
import { listTasks } from '#contract/task.ts'
import { transaction } from '../../postgres/transaction.ts'
import { aCrowd, anAdvertiser, aTag, leaf, setTag, tagged } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'

const app = await testApp()
const { db } = app.stores.postgres
let adv = 0
let women = 0

afterAll(() => app.close())
beforeEach(async () => {
  await app.reset()
  adv = await anAdvertiser(app)
  women = await aTag(app, adv, [1, 2, 3], '女')
})

const DAILY: CrowdSchedule = { every: 'day', hour: 8 }
const crowdOf = (id: number) => app.admin.get(getRuleCrowd, { params: { id } })
const setUpdates = (id: number, schedule: CrowdSchedule) =>
  app.admin.call(setCrowdUpdates, { params: { id }, body: { schedule } })
const changed = () => transaction(db, (tx) => app.services.computing.recomputeUsersOf(tx, 'tag', [women]))
const computedLongAgo = () =>
  db
    .updateTable('people')
    .set({ computed_at: now() - 1000 })
    .execute()
const stored = (id: number) =>
  db
    .selectFrom('people')
    .select(['version', 'magnitude', 'next_at', 'is_dirty', 'is_behind'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
/** As if the time of these crowds had come so many seconds ago. */
const timeCame = (ids: readonly number[], ago = 0) =>
  db
    .updateTable('people')
    .set({ next_at: now() - ago })
    .where('id', 'in', [...ids])
    .execute()

async function aScheduled(schedule: CrowdSchedule = DAILY): Promise<number> {
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  expect(await setUpdates(id, schedule)).toMatchObject({ code: 0 })
  return id
}

test('a crowd follows its data until it gets a schedule, and both say when it is updated next', async () => {
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ schedule: FOLLOWS_DATA, nextAt: null, dataChanged: false })
  await changed()
  const due = (await crowdOf(id)).nextAt ?? 0
  expect(due).toBeGreaterThan(now())
  expect(due).toBeLessThanOrEqual(now() + 15 * 60)

  const { data } = await setUpdates(id, { every: 'hours', hours: 1 })
  const next = (Math.floor(now() / 3600) + 1) * 3600
  expect(data).toEqual({ nextAt: next })
  expect(await crowdOf(id)).toMatchObject({ schedule: { every: 'hours', hours: 1 }, nextAt: next })
  const { res } = await app.admin.get(listRuleCrowds, { query: { adv_id: adv } })
  expect(res).toMatchObject([{ id, schedule: { every: 'hours', hours: 1 }, nextAt: next }])
  const audited = await db.selectFrom('audit').select('detail').where('action', '=', 'people.updates').execute()
  expect(audited).toMatchObject([{ detail: { id, schedule: { every: 'hours', hours: 1 } } }])
})

test('changed data wait for the crowd’s own time, and are counted then', async () => {
  const id = await aScheduled()
  await setTag(app, adv, women, [1], 2)
  await computedLongAgo()
  await changed()
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ magnitude: 3, dataChanged: true, refreshing: false })
  await timeCame([id])
  await app.services.computing.sendScheduled()
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ magnitude: 1, dataChanged: false })
  expect((await stored(id)).next_at).toBeGreaterThan(now())
})

test('times that passed while no worker ran count once', async () => {
  const id = await aScheduled({ every: 'hours', hours: 1 })
  const before = (await stored(id)).version
  await timeCame([id], 5 * 86_400)
  await app.services.computing.sendScheduled()
  await app.services.computing.sendScheduled()
  await app.settled()
  expect((await stored(id)).version).toBe(before + 1)
})

test('two servers that look at the same time send a crowd once', async () => {
  const ids = [await aScheduled(), await aScheduled()]
  const before = await Promise.all(ids.map(stored))
  await timeCame(ids)
  await Promise.all(Array.from({ length: 4 }, () => app.services.computing.sendScheduled()))
  await app.settled()
  const after = await Promise.all(ids.map(stored))
  expect(after.map(({ version }) => version)).toEqual(before.map(({ version }) => version + 1))
  const { list } = await app.admin.get(listTasks)
  expect(list.filter((task) => task.kind === 'rule-crowd.recompute')).toMatchObject([{ title: '重新计算 2 个人群' }])
})

test('a time that lies too far ahead, after the clock was set back, comes near again', async () => {
  const id = await aScheduled()
  const before = await stored(id)
  await timeCame([id], -40 * 86_400)
  await app.services.computing.sendScheduled()
  await app.settled()
  expect(await stored(id)).toEqual(before)
})

test('what a person asked for is computed at once, whatever the schedule', async () => {
  const id = await aScheduled({ every: 'week', days: [1], hour: 0 })
  await setTag(app, adv, women, [1, 2], 2)
  await app.admin.get(computeRuleCrowd, { params: { id } })
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ magnitude: 2 })
})

test('a crowd that failed, and one without a result, do not wait for their time', async () => {
  const id = await aScheduled()
  await db.updateTable('people').set({ version: 0, magnitude: null }).where('id', '=', id).execute()
  await changed()
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ magnitude: 3, status: 'completed' })
})

test('an undone import is counted out at once', async () => {
  const id = await aScheduled()
  await setTag(app, adv, women, [1], 2)
  await changed()
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ magnitude: 3 })
  await transaction(db, (tx) => app.services.computing.recomputeNow(tx, adv))
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ magnitude: 1, dataChanged: false })
})

test('a crowd that follows its data again counts at once what it had put off', async () => {
  const id = await aScheduled()
  await setTag(app, adv, women, [1, 2, 3, 4], 2)
  await changed()
  await setUpdates(id, FOLLOWS_DATA)
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ magnitude: 4, schedule: FOLLOWS_DATA, nextAt: null, dataChanged: false })
})

test('a crowd that uses a scheduled one is recomputed after it', async () => {
  const used = await aScheduled()
  const { id } = await aCrowd(app, adv, leaf('b', null, [{ id: used, tag_type: CROWD_TAG }]))
  await app.settled()
  await setUpdates(id, DAILY)
  await setTag(app, adv, women, [2], 2)
  await timeCame([used, id])
  await app.services.computing.sendScheduled()
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ magnitude: 1 })
})

test('expired and deleted crowds keep their schedule and are not computed', async () => {
  const [expired, deleted] = [await aScheduled(), await aScheduled()]
  const before = await Promise.all([expired, deleted].map(stored))
  await db
    .updateTable('people')
    .set({ invalid_time: now() - 10 })
    .where('id', '=', expired)
    .execute()
  await db.updateTable('people').set({ deleted_at: now() }).where('id', '=', deleted).execute()
  await timeCame([expired, deleted])
  await app.services.computing.sendScheduled()
  await app.settled()
  expect(await Promise.all([expired, deleted].map(stored))).toEqual(before)
  expect(await crowdOf(expired)).toMatchObject({ schedule: DAILY, nextAt: null })
})

test('wrong schedules and crowds of others are refused', async () => {
  const id = await aScheduled()
  for (const schedule of [
    { every: 'minute' },
    { every: 'day', hour: 24 },
    { every: 'week', days: [], hour: 1 },
    null,
  ]) {
    expect(await setUpdates(id, schedule as never)).toMatchObject({ status: 400 })
  }
  const stranger = await app.viewer('schedule-stranger', [await anAdvertiser(app)])
  expect(await stranger.call(setCrowdUpdates, { params: { id }, body: { schedule: DAILY } })).toMatchObject({
    status: 404,
  })
  expect(await crowdOf(id)).toMatchObject({ schedule: DAILY })
})
