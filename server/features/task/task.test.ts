import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { outcome } from '#contract/outcome.ts'
import { listTasks, retryTask, seeTasks } from '#contract/task.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'

const app = await testApp()
const { db } = app.stores.postgres
let adv_id = 0
const DAY = 86_400

afterAll(() => app.close())
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  await app.settled()
  await db.deleteFrom('task').execute()
})

async function someTasks(status: 'running' | 'done' | 'failed', count: number, finished_at: number | null) {
  const rows = await db
    .insertInto('task')
    .values(
      Array.from({ length: count }, (_, at) => ({
        kind: 'work',
        title: `${status} ${at}`,
        adv_id,
        status,
        error: status === 'failed' ? outcome('task_unexpected') : null,
        created_at: now(),
        finished_at,
      })),
    )
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

test('a failure stays in front until it is seen, however many tasks come after it, and counts cover all pages', async () => {
  const [failed = 0] = await someTasks('failed', 1, now() - 3 * DAY)
  await someTasks('running', 70, null)
  await someTasks('done', 70, now())
  const first = await app.admin.get(listTasks, { query: { page_size: 20 } })
  expect(first).toMatchObject({ total: 141, running: 70, failed: 1, paused: 0 })
  expect(first.list[0]).toMatchObject({ id: failed, status: 'failed', seen: false })
  expect(first.list.slice(1).every((task) => task.status === 'running')).toBe(true)
  const last = await app.admin.get(listTasks, { query: { page: 8, page_size: 20 } })
  expect(last.list.map((task) => task.status)).toEqual(['done'])
  const pages = await Promise.all(
    Array.from({ length: 8 }, (_, at) => app.admin.get(listTasks, { query: { page: at + 1, page_size: 20 } })),
  )
  expect(new Set(pages.flatMap((page) => page.list.map((task) => task.id))).size).toBe(141)
})

test('a task that is asked for is in the list, however many failures stand before it', async () => {
  const [running = 0] = await someTasks('running', 1, null)
  const [failed = 0] = await someTasks('failed', 25, now())
  const [theirs = 0] = await someTasks('done', 1, now())
  const other = await anAdvertiser(app, 'other')
  await db.updateTable('task').set({ adv_id: other }).where('id', '=', theirs).execute()
  const viewer = await app.viewer('mine', [adv_id])
  const listed = async (ids: number[]) => {
    const { list } = await viewer.get(listTasks, { query: { page_size: 20, ids: ids.join(',') } })
    return list.map((task) => task.id)
  }
  expect(await listed([])).not.toContain(running)
  const list = await listed([running, failed + 24, theirs])
  expect(list).toHaveLength(21)
  expect(list).toContain(running)
})

test('each viewer sees a failure for themselves; once seen it leaves a day after it ended', async () => {
  const [old = 0] = await someTasks('failed', 1, now() - 3 * DAY)
  const [fresh = 0] = await someTasks('failed', 1, now())
  const other = await app.viewer('other', [adv_id])
  await app.admin.get(seeTasks, { body: { ids: [old, fresh, fresh] } })
  await app.admin.get(seeTasks, { body: { ids: [old] } })
  const mine = await app.admin.get(listTasks)
  expect(mine).toMatchObject({ failed: 0, total: 1 })
  expect(mine.list).toMatchObject([{ id: fresh, seen: true }])
  expect(await other.get(listTasks)).toMatchObject({ failed: 2, total: 2 })
})

test('a failure that cannot be retried stays seen', async () => {
  const [failed = 0] = await someTasks('failed', 1, now())
  await app.admin.get(seeTasks, { body: { ids: [failed] } })
  expect(await app.admin.call(retryTask, { params: { id: failed } })).toMatchObject({
    code: FAULTS.taskNotRetryable.code,
  })
  expect((await app.admin.get(listTasks)).failed).toBe(0)
})

test('nobody marks a stranger’s task, and only failures are marked', async () => {
  const [failed = 0] = await someTasks('failed', 1, now())
  const [running = 0] = await someTasks('running', 1, null)
  const stranger = await app.viewer('stranger', [])
  expect((await stranger.call(seeTasks, { body: { ids: [failed] } })).code).not.toBe(0)
  await app.admin.get(seeTasks, { body: { ids: [running, 999_999] } })
  expect(await db.selectFrom('task_seen').selectAll().execute()).toEqual([])
})
