import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import { shown, testJobs, until } from '../testing/jobs.ts'
import { reclaim } from './lease.ts'

const { db, aWorker, send, task, states } = await testJobs()

const mark = (name: string) => db.insertInto('setting').values({ name, value: '' }).execute()
const marks = async () =>
  (await db.selectFrom('setting').select('name').orderBy('name').execute()).map((row) => row.name)

describe('the hold on a job', () => {
  test('stays while its worker lives, however long the job takes', async () => {
    const [one, two] = [aWorker(), aWorker()]
    let runs = 0
    for (const jobs of [one, two]) {
      jobs.handle('work', { leaseSeconds: 1 }, async () => {
        runs++
        await pause(4500)
      })
      await jobs.start()
    }
    await send(one)
    await until(async () => (await states())[0] === 'completed')
    expect(runs).toBe(1)
  })

  test('passes to another worker when the first vanishes, and the first one’s results are refused', async () => {
    const [frozen, second] = [aWorker(), aWorker()]
    let thaw = () => {}
    const thawed = new Promise<void>((resolve) => {
      thaw = resolve
    })
    let lost: AbortSignal | undefined
    let refused: unknown[] = []
    frozen.handle('work', { leaseSeconds: 10 }, async (job) => {
      lost = job.signal
      await thawed
      const results = await Promise.allSettled([
        job.step((tx) => tx.insertInto('setting').values({ name: 'frozen step', value: '' }).execute()),
        job.finish((tx) => tx.insertInto('setting').values({ name: 'frozen finish', value: '' }).execute()),
      ])
      refused = results.map((result) => result.status)
    })
    second.handle('work', { leaseSeconds: 10 }, (job) =>
      job.finish((tx) => tx.insertInto('setting').values({ name: 'second', value: '' }).execute()),
    )
    await frozen.start()
    const { task_id } = await send(frozen, {}, shown)
    await until(() => lost)
    // As if it had not been renewed for a minute.
    await sql`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`.execute(db)
    await reclaim(db, [{ name: 'work', seconds: 30 }])
    await second.start()
    await until(async () => (await task(task_id)).status === 'done')
    await until(() => lost?.aborted)
    thaw()
    await until(() => refused.length === 2)
    await pause(300)
    expect(refused).toEqual(['rejected', 'rejected'])
    expect(await marks()).toEqual(['second'])
    expect(await states()).toEqual(['completed'])
    expect(await task(task_id)).toMatchObject({ status: 'done', error: null })
  })

  test('left by an earlier process of an embedded store is taken over at the start', async () => {
    const jobs = aWorker({ soleWorker: true })
    const ran = vi.fn(async () => {})
    jobs.handle('work', { leaseSeconds: 600 }, ran)
    await jobs.start({ work: false })
    await send(jobs)
    await sql`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now()`.execute(db)
    await jobs.stop()
    await jobs.start()
    await until(() => ran.mock.calls.length === 1)
  })

  test('is no longer given for a job that keeps killing its process', async () => {
    const jobs = aWorker()
    const ran = vi.fn(async () => {})
    jobs.handle('work', {}, ran)
    await jobs.start({ work: false })
    const { task_id } = await send(jobs, {}, shown)
    await sql`update pgboss.job set started_on = now(), retry_count = 20`.execute(db)
    await jobs.stop()
    await jobs.start()
    await until(async () => (await task(task_id)).status === 'failed')
    expect((await task(task_id)).error).toEqual(outcome('task_process_gone'))
    expect(ran).not.toHaveBeenCalled()
  })
})

test('a task whose job is gone fails with a reason', async () => {
  const jobs = aWorker()
  jobs.handle('work', {}, async () => {})
  await jobs.start({ work: false })
  const { task_id } = await send(jobs, {}, shown)
  await sql`delete from pgboss.job where name = 'work'`.execute(db)
  await jobs.stop()
  await jobs.start()
  await until(async () => (await task(task_id)).status === 'failed')
  expect((await task(task_id)).error).toEqual(outcome('task_interrupted'))
})

describe('stopping', () => {
  test('finishes running jobs and takes up no new ones', async () => {
    const jobs = aWorker()
    jobs.handle<{ n: number }>('work', {}, async (job) => {
      await pause(400)
      await mark(`ended ${job.data.n}`)
    })
    await jobs.start()
    await send(jobs, { n: 1 })
    await send(jobs, { n: 2 })
    await until(async () => (await states()).includes('active'))
    await jobs.stop()
    expect(await marks()).toEqual(['ended 1'])
    expect((await states()).sort()).toEqual(['completed', 'created'])
  })

  test('puts back jobs that take too long, without counting a failure', async () => {
    const jobs = aWorker()
    let runs = 0
    jobs.handle('work', { retries: 0 }, async (job) => {
      if (++runs > 1) return
      await new Promise((_, reject) => job.signal.addEventListener('abort', () => reject(job.signal.reason)))
    })
    await jobs.start()
    const { task_id } = await send(jobs, {}, shown)
    await until(() => runs === 1)
    await jobs.stop({ graceMs: 50 })
    expect(await task(task_id)).toMatchObject({ status: 'waiting' })
    await jobs.start()
    await until(async () => (await task(task_id)).status === 'done')
  })
})
