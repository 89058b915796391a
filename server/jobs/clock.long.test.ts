import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { shown, silent, testJobs, until } from '../testing/jobs.ts'
import { HOUR_MS, shiftedClock } from '../testing/shifted-clock.ts'

// A database by URL has a clock of its own, which a test cannot set: see clock-postgres.test.ts.
const isEmbedded = !process.env.RENQUN_TEST_POSTGRES
const clock = shiftedClock()
if (isEmbedded) await clock.shiftHere()
const { db, aWorker, send, task } = await testJobs()
beforeEach(() => clock.set(0))
afterAll(() => clock.remove())

const BACK = -3 * HOUR_MS
const MINUTE_MS = 60_000
const alone = { soleWorker: true, poll: 100 }
const isDone = async ({ task_id }: { task_id: number | null }) => (await task(task_id)).status === 'done'
/** The state that a process killed just now leaves. */
const asHeld = () =>
  sql`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = clock_timestamp()`.execute(db)

describe.runIf(isEmbedded)('when the clock is set back by hours', () => {
  test('the embedded database uses the new time', async () => {
    await clock.set(BACK)
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
    const real = performance.timeOrigin + performance.now()
    expect(Math.abs((rows[0]?.now.getTime() ?? 0) - real - BACK)).toBeLessThan(MINUTE_MS)
  })

  test('the next start takes up jobs that a killed process held, and jobs sent before', async () => {
    const jobs = aWorker(alone)
    jobs.handle('work', { leaseSeconds: 600 }, async () => {})
    await jobs.start({ work: false })
    const held = await send(jobs, {}, shown)
    await asHeld()
    const sent = await send(jobs, {}, shown)
    await jobs.stop()
    await clock.set(BACK)
    await jobs.start()
    await until(() => isDone(held))
    await until(() => isDone(sent))
  })

  test('while a worker runs, jobs wait exactly as long as asked', async () => {
    silent()
    const jobs = aWorker(alone)
    const ran: Record<string, number> = {}
    jobs.handle<{ as: string }>('work', { concurrency: 4, retryDelaySeconds: 1 }, async (job) => {
      const { as } = job.data
      ran[as] = (ran[as] ?? 0) + 1
      if (ran[as] > 1) return
      if (as === 'waits') await job.wait(async () => {}, 1, null)
      if (as === 'fails') throw new Error('on purpose')
    })
    await jobs.start()
    const [waits, fails] = [await send(jobs, { as: 'waits' }, shown), await send(jobs, { as: 'fails' }, shown)]
    const soon = await send(jobs, { as: 'soon' }, { ...shown, startAfter: 1 })
    const later = await send(jobs, { as: 'later' }, { ...shown, startAfter: 600 })
    await until(() => ran.waits && ran.fails)
    await clock.set(BACK)
    for (const one of [waits, fails, soon]) await until(() => isDone(one))
    expect(ran).toEqual({ waits: 2, fails: 2, soon: 1 })
    await clock.set(BACK + 500_000)
    expect((await task(later.task_id)).status).toBe('waiting')
    await clock.set(BACK + 610_000)
    await until(() => isDone(later))
  })

  test('jobs of a group keep the order in which they were sent', async () => {
    const jobs = aWorker(alone)
    const ran: number[] = []
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    jobs.handle<{ n: number }>('work', {}, async ({ data }) => {
      ran.push(data.n)
      if (data.n === 1) await ended
    })
    await jobs.start()
    for (const n of [1, 2, 3]) await send(jobs, { n }, { group: 'advertiser' })
    await clock.set(BACK)
    // The worker checks the times three times within this pause.
    await pause(1000)
    await send(jobs, { n: 4 }, { group: 'advertiser' })
    end()
    await until(() => ran.length === 4)
    expect(ran).toEqual([1, 2, 3, 4])
  })

  test('schedules continue by the new time', async () => {
    const jobs = aWorker(alone)
    let ran = 0
    jobs.handle('poll', {}, async () => {
      ran++
    })
    jobs.schedule('poll', '*/10 * * * *', 'Asia/Shanghai')
    await jobs.start()
    await until(() => ran === 1)
    await clock.set(10 * MINUTE_MS)
    await until(() => ran === 2)
    await clock.set(BACK)
    // The worker checks its schedules once within this pause.
    await pause(1200)
    await clock.set(BACK + 10 * MINUTE_MS)
    await until(() => ran === 3)
    await clock.set(BACK + 20 * MINUTE_MS)
    await until(() => ran === 4)
  })

  test('a living worker keeps its job, and a vanished one loses it after the lease', async () => {
    const [one, two] = [aWorker({ poll: 100 }), aWorker({ poll: 100 })]
    const ran: string[] = []
    for (const jobs of [one, two]) {
      jobs.handle<{ as: string }>('work', { leaseSeconds: 1 }, async ({ data }) => {
        ran.push(data.as)
        if (data.as === 'long') await pause(2500)
      })
    }
    await one.start({ work: false })
    const vanished = await send(one, { as: 'vanished' }, shown)
    await asHeld()
    await one.stop()
    await one.start()
    const long = await send(one, { as: 'long' }, shown)
    await until(() => ran.includes('long'))
    await clock.set(BACK)
    await two.start()
    await until(() => isDone(vanished))
    await until(() => isDone(long))
    expect(ran.toSorted()).toEqual(['long', 'vanished'])
  })
})

test('jobs of versions that did not record waits: those put back run at once, delayed ones keep waiting', async () => {
  const jobs = aWorker(alone)
  jobs.handle('work', {}, async () => {})
  await jobs.start({ work: false })
  const sent = await send(jobs, {}, { ...shown, startAfter: 600 })
  const back = await send(jobs, {}, shown)
  await sql`update pgboss.job set data = data - 'wait'`.execute(db)
  await sql`update pgboss.job set state = 'retry', start_after = now() + interval '3 hours'
    where id = ${back.job_id}::uuid`.execute(db)
  await jobs.stop()
  await jobs.start()
  await until(() => isDone(back))
  expect((await task(sent.task_id)).status).toBe('waiting')
})
