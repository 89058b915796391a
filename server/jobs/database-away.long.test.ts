import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { cutPostgres } from '../testing/cut-postgres.ts'
import { shown, silent, testJobs, until } from '../testing/jobs.ts'

const database = await cutPostgres()
const { db, aWorker, send, task, states } = await testJobs(async () => database)
afterEach(() => vi.restoreAllMocks())

const marks = async () =>
  (await db.selectFrom('setting').select('name').orderBy('name').execute()).map((row) => row.name)
const mark = (name: string) => ({ name, value: '' })

/** A promise that `open` resolves. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('a job whose statement fails because the database is unreachable continues when it is back', async () => {
  const errors = silent()
  const jobs = aWorker()
  const [begun, isAway] = [gate(), gate()]
  let runs = 0
  jobs.handle('work', { retries: 0 }, async (job) => {
    if (++runs === 1) {
      begun.open()
      await isAway.opened
    }
    await job.step((tx) => tx.insertInto('setting').values(mark('done')).execute())
  })
  await jobs.start()
  const { task_id } = await send(jobs, {}, shown)
  await begun.opened
  await database.goAway()
  isAway.open()
  await new Promise((resolve) => setTimeout(resolve, 700))
  await database.back()
  await until(async () => (await task(task_id)).status === 'done')
  expect(runs).toBe(2)
  expect(await marks()).toEqual(['done'])
  const { rows } = await sql<{ failures: number }>`
    select (data->>'failures')::int as failures from pgboss.job where name = 'work'`.execute(db)
  expect(rows).toEqual([{ failures: 0 }])
  expect(errors.mock.calls.map(([said]) => said)).toEqual([expect.stringMatching(/^数据库暂时不可用：/)])
})

test('a job that needs no database meanwhile keeps its hold and finishes', async () => {
  silent()
  const jobs = aWorker()
  const [begun, isBack] = [gate(), gate()]
  let runs = 0
  jobs.handle('work', { retries: 0 }, async (job) => {
    runs++
    begun.open()
    await isBack.opened
    await job.finish((tx) => tx.insertInto('setting').values(mark('finished')).execute())
  })
  await jobs.start()
  const { task_id } = await send(jobs, {}, shown)
  await begun.opened
  await database.goAway()
  await new Promise((resolve) => setTimeout(resolve, 300))
  await database.back()
  isBack.open()
  await until(async () => (await task(task_id)).status === 'done')
  expect(runs).toBe(1)
})

test('a job whose lease expired while the database was unreachable stays with its worker', async () => {
  silent()
  const jobs = aWorker()
  const [begun, isBack] = [gate(), gate()]
  let runs = 0
  jobs.handle('work', { retries: 0 }, async (job) => {
    runs++
    begun.open()
    await isBack.opened
    await job.finish((tx) => tx.insertInto('setting').values(mark('finished')).execute())
  })
  await jobs.start()
  const { task_id } = await send(jobs, {}, shown)
  await begun.opened
  await database.goAway()
  await sql`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`.execute(
    database.direct.db,
  )
  await database.back()
  // Longer than the interval between checks for expired leases.
  await new Promise((resolve) => setTimeout(resolve, 3500))
  isBack.open()
  await until(async () => (await task(task_id)).status === 'done')
  expect(runs).toBe(1)
})

test.each([
  ['end', 'done'],
  ['wait', 'waiting'],
] as const)('the %s of a job whose COMMIT was not answered stands, and is not written again', async (how, status) => {
  silent()
  const jobs = aWorker()
  let runs = 0
  jobs.handle('work', { retries: 0 }, async (job) => {
    runs++
    database.loseCommitOf('once')
    if (how === 'end') await job.finish((tx) => tx.insertInto('setting').values(mark('once')).execute())
    else await job.wait((tx) => tx.insertInto('setting').values(mark('once')).execute(), 3600, null)
  })
  await jobs.start()
  const { task_id } = await send(jobs, {}, shown)
  await until(async () => (await task(task_id)).status === status)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(runs).toBe(1)
  expect(await marks()).toEqual(['once'])
  expect(await states()).toEqual([how === 'end' ? 'completed' : 'retry'])
  expect((await task(task_id)).status).toBe(status)
})

test('a scheduled time that passed while the database was unreachable is made up for once', async () => {
  silent()
  const jobs = aWorker({ poll: 20 })
  let runs = 0
  jobs.handle('minutely', {}, async () => {
    runs++
  })
  // The next time is three seconds from now, and the one after it a minute later.
  const due = new Date(Date.now() + 3000)
  jobs.schedule('minutely', `${due.getUTCSeconds()} * * * * *`, 'UTC')
  await jobs.start()
  // The start runs the schedule once for the minute before.
  await until(async () => (await states()).join() === 'completed')
  await database.goAway()
  await new Promise((resolve) => setTimeout(resolve, due.getTime() - Date.now() + 500))
  expect(runs).toBe(1)
  await database.back()
  await until(() => runs === 2)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(runs).toBe(2)
})
