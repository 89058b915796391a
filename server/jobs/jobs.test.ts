import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { AppError } from '../errors.ts'
import { transaction } from '../postgres/transaction.ts'
import { shown, testJobs, until } from '../testing/jobs.ts'

const { db, aWorker, send, task, states } = await testJobs()

describe('a job', () => {
  test('starts immediately after its sender’s commit, and its task shows its progress', async () => {
    const jobs = aWorker({ poll: 60_000 })
    let began = 0
    jobs.handle<{ crowd: number }>('work', {}, async (job) => {
      began = performance.now()
      job.task.progress(0.5, '计算中')
      await until(async () => (await task(job.task.id)).stage === '计算中')
      expect(await task(job.task.id)).toMatchObject({ status: 'running', progress: 0.5 })
      return { count: job.data.crowd }
    })
    await jobs.start()
    await pause(100)
    const { task_id } = await send(jobs, { crowd: 7 }, shown)
    const sent = performance.now()
    await until(async () => (await task(task_id)).status === 'done')
    // Far sooner than it would be polled for.
    expect(began - sent).toBeLessThan(10_000)
    expect(await task(task_id)).toMatchObject({
      kind: 'work',
      title: '计算人群',
      link: '/x',
      progress: 1,
      error: null,
      result: { count: 7 },
      started_at: expect.any(Number),
      finished_at: expect.any(Number),
    })
    expect(await states()).toEqual(['completed'])
  })

  test('sent in a transaction that is rolled back never runs', async () => {
    const jobs = aWorker()
    const ran = vi.fn(async () => {})
    jobs.handle('work', {}, ran)
    await jobs.start()
    await transaction(db, async (tx) => {
      await jobs.send(tx, 'work', {}, shown)
      throw new Error('no')
    }).catch((error: Error) => expect(error.message).toBe('no'))
    await pause(500)
    expect(ran).not.toHaveBeenCalled()
    expect(await db.selectFrom('task').selectAll().execute()).toEqual([])
  })

  test('sent by a process without workers is run by one that has them', async () => {
    const web = aWorker()
    const worker = aWorker()
    const ran = vi.fn(async () => {})
    web.handle('work', {}, async () => {})
    worker.handle('work', {}, ran)
    await web.start({ work: false })
    await worker.start()
    await send(web)
    await until(() => ran.mock.calls.length === 1)
  })

  test('waits for its time', async () => {
    const jobs = aWorker()
    const ran = vi.fn(async () => {})
    jobs.handle('work', {}, ran)
    await jobs.start()
    await send(jobs, {}, { startAfter: 1 })
    await pause(700)
    expect(ran).not.toHaveBeenCalled()
    await until(() => ran.mock.calls.length === 1)
  })

  test('runs at most as often in parallel as its kind allows', async () => {
    const jobs = aWorker()
    let now = 0
    let most = 0
    let done = 0
    // On a busy machine the first would end before the third begins.
    const three = Promise.withResolvers<void>()
    jobs.handle('work', { concurrency: 3 }, async () => {
      most = Math.max(most, ++now)
      if (now === 3) three.resolve()
      await three.promise
      await pause(50)
      now--
      done++
    })
    await jobs.start()
    await transaction(db, async (tx) => {
      for (let n = 0; n < 10; n++) await jobs.send(tx, 'work', { n })
    })
    await until(() => done === 10)
    expect(most).toBe(3)
  })
})

describe('jobs of one key', () => {
  test('run one after the other with at most one waiting, and the last one sees the last change', async () => {
    const jobs = aWorker()
    const other = aWorker()
    const seen: number[] = []
    let value = 0
    let now = 0
    let most = 0
    const handler = async () => {
      most = Math.max(most, ++now)
      seen.push(value)
      await pause(100)
      now--
    }
    jobs.handle('work', { concurrency: 4 }, handler)
    other.handle('work', { concurrency: 4 }, handler)
    await jobs.start()
    await other.start()
    for (value = 1; value <= 20; value++) {
      await send(jobs, {}, { singletonKey: 'crowd 1', ...shown })
      await pause(15)
    }
    value = 20
    await until(async () => (await states()).every((state) => state === 'completed') && now === 0)
    expect(most).toBe(1)
    expect(seen.length).toBeLessThan(15)
    expect(seen.at(-1)).toBe(20)
    const tasks = await db.selectFrom('task').select('status').execute()
    expect(tasks).toHaveLength(seen.length)
    expect(tasks.every(({ status }) => status === 'done')).toBe(true)
  })

  test('do not delay jobs of other keys', async () => {
    const jobs = aWorker()
    const ran: string[] = []
    jobs.handle<{ key: string }>('work', { concurrency: 2 }, async (job) => {
      ran.push(job.data.key)
      if (job.data.key === 'slow') await pause(1500)
    })
    await jobs.start()
    await send(jobs, { key: 'slow' }, { singletonKey: 'slow' })
    await until(() => ran.length === 1)
    await send(jobs, { key: 'slow' }, { singletonKey: 'slow' })
    await send(jobs, { key: 'quick' }, { singletonKey: 'quick' })
    await until(() => ran.length === 2, 1000)
    expect(ran).toEqual(['slow', 'quick'])
    await until(() => ran.length === 3)
  })

  test('a job sent while one waits is that waiting job', async () => {
    const jobs = aWorker()
    jobs.handle('work', {}, async () => {})
    await jobs.start({ work: false })
    const first = await send(jobs, {}, { singletonKey: 'a', ...shown })
    expect(await send(jobs, {}, { singletonKey: 'a', ...shown })).toEqual(first)
    expect(await send(jobs, {}, { singletonKey: 'b', ...shown })).not.toEqual(first)
  })
})

describe('jobs of one group', () => {
  test('run one after the other in the order sent, without occupying workers while they wait', async () => {
    const jobs = aWorker()
    const ran: string[] = []
    const { promise: let0, resolve: open } = Promise.withResolvers<void>()
    jobs.handle<{ name: string }>('work', { concurrency: 2 }, async (job) => {
      ran.push(job.data.name)
      if (job.data.name === 'a0') await let0
    })
    await jobs.start()
    for (let n = 0; n < 5; n++) await send(jobs, { name: `a${n}` }, { group: 'a', ...shown })
    await send(jobs, { name: 'b' }, { group: 'b' })
    await until(() => ran.length === 2, 1000)
    expect(ran).toEqual(['a0', 'b'])
    await until(async () => (await states()).filter((state) => state === 'active').length === 1)
    expect((await states()).filter((state) => state === 'created')).toHaveLength(4)
    open()
    await until(async () => (await states()).every((state) => state === 'completed'))
    expect(ran).toEqual(['a0', 'b', 'a1', 'a2', 'a3', 'a4'])
  })

  test('stay in the group when a viewer sends a failed one again', async () => {
    const jobs = aWorker()
    let isBroken = true
    let now = 0
    let most = 0
    jobs.handle('work', { concurrency: 4 }, async () => {
      if (isBroken) throw new AppError('importDiskFull')
      most = Math.max(most, ++now)
      await pause(100)
      now--
    })
    await jobs.start()
    const sent = [await send(jobs, {}, { group: 'a', ...shown }), await send(jobs, {}, { group: 'a', ...shown })]
    for (const { task_id } of sent) await until(async () => (await task(task_id)).status === 'failed')
    isBroken = false
    for (const { task_id } of sent) await transaction(db, (tx) => jobs.retry(tx, task_id ?? 0))
    for (const { task_id } of sent) await until(async () => (await task(task_id)).status === 'done')
    expect(most).toBe(1)
  })
})
