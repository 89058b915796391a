import { afterAll, beforeEach, expect, test } from 'vitest'
import { CROWD_TAG } from '#contract/rule.ts'
import { computeRuleCrowd, getRuleCrowd } from '#contract/rule-crowd.ts'
import { listTasks } from '#contract/task.ts'
import { transaction } from '../../postgres/transaction.ts'
import { aCrowd, anAdvertiser, aTag, leaf, node, setTag, tagged } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'
import { nextDue } from './due-crowds.ts'

const app = await testApp()
const { db } = app.stores.postgres
let adv = 0
let women = 0
let city = 0

afterAll(() => app.close())
beforeEach(async () => {
  await app.reset()
  adv = await anAdvertiser(app)
  women = await aTag(app, adv, [1, 2, 3, 4, 2_000_000], '女')
  city = await aTag(app, adv, [3, 4, 5], '一线')
})

const crowdOf = (id: number) => app.admin.get(getRuleCrowd, { params: { id } })
const tasks = async () => (await app.admin.get(listTasks)).list
const changed = (ids: number[]) => transaction(db, (tx) => app.services.computing.recomputeUsersOf(tx, 'tag', ids))
const longAgo = () =>
  db
    .updateTable('people')
    .set({ computed_at: now() - 1000 })
    .execute()

/** Crowds of the tag by itself, with the other one, and without it. */
async function manyCrowds(count: number): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < count; at++) {
    const rule =
      at % 3 === 2
        ? node('r', 'e', leaf('a', 'n', tagged(women)), leaf('b', 'n', tagged(city)))
        : leaf('a', 'n', tagged(women, ...(at % 3 === 1 ? [city] : [])))
    ids.push((await aCrowd(app, adv, rule)).id)
  }
  await app.settled()
  return ids
}

test('changed data recompute every crowd exactly, and the task tray shows one task for all', async () => {
  const ids = await manyCrowds(6)
  await setTag(app, adv, women, [4, 5, 6], 2)
  await longAgo()
  await changed([women])
  await app.settled()
  const found = await db.selectFrom('people').select(['id', 'magnitude', 'is_dirty', 'due_at']).orderBy('id').execute()
  expect(found.map((crowd) => crowd.magnitude)).toEqual(ids.map((_, at) => [3, 2, 1][at % 3]))
  expect(found.every((crowd) => !crowd.is_dirty && crowd.due_at === null)).toBe(true)
  const shown = (await tasks()).filter((task) => task.kind === 'rule-crowd.recompute')
  expect(shown).toMatchObject([{ title: '重新计算 6 个人群', status: 'done' }])
  expect(await crowdOf(ids[0] ?? 0)).toMatchObject({ refreshing: false, status: 'completed' })
})

test('a crowd that cannot be counted fails alone, with a task of its own', async () => {
  const [broken = 0, fine = 0] = [
    (await aCrowd(app, adv, leaf('a', 'n', tagged(city)))).id,
    (await aCrowd(app, adv, leaf('a', 'n', tagged(women)))).id,
  ]
  await app.settled()
  await setTag(app, adv, women, [4], 2)
  // More people than the warehouse holds.
  await db.updateTable('tag').set({ count: 9 }).where('id', '=', city).execute()
  await longAgo()
  await changed([women, city])
  await expect.poll(async () => (await crowdOf(fine)).magnitude, { timeout: 20_000 }).toBe(1)
  expect((await crowdOf(broken)).magnitude).toBe(3)
  await expect
    .poll(async () => (await tasks()).map((task) => `${task.kind} ${task.status}`), { timeout: 20_000 })
    .toContain('rule-crowd.compute waiting')
  await db.updateTable('tag').set({ count: 3 }).where('id', '=', city).execute()
  await app.settled()
})

test('what a killed recomputation had begun is computed by the next one', async () => {
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  const other = await aCrowd(app, adv, leaf('a', 'n', tagged(city)))
  await app.settled()
  await setTag(app, adv, women, [4], 2)
  await longAgo()
  await db.updateTable('people').set({ is_dirty: true, due_at: null }).where('id', '=', id).execute()
  await changed([city])
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ magnitude: 1 })
  expect(await crowdOf(other.id)).toMatchObject({ magnitude: 3 })
})

test('new crowds go first, then those that were opened, and a crowd waits for the one it uses', async () => {
  const quiet = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  const user = await aCrowd(app, adv, leaf('a', null, [{ id: quiet.id, tag_type: CROWD_TAG }]))
  const opened = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  const fresh = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  await crowdOf(opened.id)
  await db.updateTable('people').set({ is_dirty: true, due_at: now() }).execute()
  await db.updateTable('people').set({ version: 0 }).where('id', '=', fresh.id).execute()
  const next = await transaction(db, (tx) => nextDue(tx, adv, 10))
  expect(next).toEqual([fresh.id, opened.id, quiet.id])
  expect(next).not.toContain(user.id)
})

test('a computation that a person asks for is not part of the recomputation', async () => {
  const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(women)))
  await app.settled()
  await setTag(app, adv, women, [4], 2)
  await longAgo()
  await transaction(db, async (tx) => {
    await app.services.computing.recomputeUsersOf(tx, 'tag', [women])
  })
  await app.admin.get(computeRuleCrowd, { params: { id } })
  await app.settled()
  expect(await crowdOf(id)).toMatchObject({ magnitude: 1, refreshing: false, fail_outcome: null })
  const { is_dirty, due_at } = await db
    .selectFrom('people')
    .select(['is_dirty', 'due_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect({ is_dirty, due_at }).toEqual({ is_dirty: false, due_at: null })
})
