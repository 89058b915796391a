import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testJobs, until } from '../testing/jobs.ts'

const { db, aWorker } = await testJobs()

test('a start deletes tasks that ended long ago, and keeps running ones', async () => {
  const ended = (title: string, days: number | null) => ({
    kind: 'work',
    title,
    status: days === null ? ('waiting' as const) : ('done' as const),
    created_at: 1,
    finished_at: days === null ? null : Math.floor(Date.now() / 1000) - days * 86_400,
  })
  await db
    .insertInto('task')
    .values([ended('old', 31), ended('fresh', 29), ended('open', null)])
    .execute()
  const jobs = aWorker()
  jobs.handle('work', {}, async () => {})
  await jobs.start()
  const titles = async () => (await db.selectFrom('task').select('title').orderBy('id').execute()).map((t) => t.title)
  await until(async () => (await titles()).length === 2)
  expect(await titles()).toEqual(['fresh', 'open'])
})

test('a schedule is stored, and deleted when the code no longer has it', async () => {
  const schedules = async () => (await sql`select name, cron, timezone from pgboss.schedule`.execute(db)).rows
  const first = aWorker()
  first.handle('nightly', {}, async () => {})
  first.schedule('nightly', '10 0 * * *', 'Asia/Shanghai')
  await first.start()
  expect(await schedules()).toEqual([{ name: 'nightly', cron: '10 0 * * *', timezone: 'Asia/Shanghai' }])
  const second = aWorker()
  second.handle('nightly', {}, async () => {})
  await second.start()
  expect(await schedules()).toEqual([])
})

test('scheduled times that passed while no worker ran are made up for once', async () => {
  let ran = 0
  for (let start = 1; start <= 3; start++) {
    const jobs = aWorker()
    jobs.handle('nightly', {}, async () => {
      ran++
    })
    jobs.schedule('nightly', '10 0 * * *', 'Asia/Shanghai')
    await jobs.start()
    await pause(500)
    await jobs.stop()
    expect(ran).toBe(start < 3 ? 1 : 2)
    // A week passes before the third start.
    if (start === 2) await sql`update pgboss.job set created_on = now() - interval '7 days'`.execute(db)
  }
})
