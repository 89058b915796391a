import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '../errors.ts'
import { transaction } from '../postgres/transaction.ts'
import { testPostgres, truncateAll } from '../testing/postgres.ts'
import { reclaim } from './lease.ts'
import { type Jobs, openJobs } from './open.ts'

let postgres: Awaited<ReturnType<typeof testPostgres>>
let open: Jobs[] = []
beforeAll(async () => {
  postgres = await testPostgres()
})
beforeEach(() => truncateAll(postgres.db))
afterEach(async () => {
  await Promise.all(open.map((jobs) => jobs.stop({ graceMs: 0 })))
  open = []
  vi.restoreAllMocks()
})
afterAll(() => postgres.close())

/** Another process as far as the queue can tell. */
function aWorker(options?: Parameters<typeof openJobs>[1]) {
  const jobs = openJobs(postgres, { poll: 200, soleWorker: false, ...options })
  open.push(jobs)
  return jobs
}

const send = (jobs: Jobs, data: object = {}, options?: Parameters<Jobs['send']>[3], name = 'work') =>
  transaction(postgres.db, (tx) => jobs.send(tx, name, data, options))
const shown = { task: { title: '计算人群', adv_id: null, viewer_id: null, link: '/x' } }
const task = (id: number | null) =>
  postgres.db.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const until = (check: () => unknown, timeout = 8000) =>
  vi.waitFor(async () => expect(await check()).toBeTruthy(), { timeout, interval: 20 })
const states = async () => {
  const { rows } = await sql<{
    state: string
  }>`select state::text from pgboss.job where name not like '\\_\\_%' order by created_on`.execute(postgres.db)
  return rows.map((row) => row.state)
}
const mark = (name: string) => postgres.db.insertInto('setting').values({ name, value: '' }).execute()
const marks = async () =>
  (await postgres.db.selectFrom('setting').select('name').orderBy('name').execute()).map((row) => row.name)
const silent = () => vi.spyOn(console, 'error').mockImplementation(() => {})

test('tasks that ended long ago are forgotten at the start, those that run are not', async () => {
  const ended = (title: string, days: number | null) => ({
    kind: 'work',
    title,
    status: days === null ? ('waiting' as const) : ('done' as const),
    created_at: 1,
    finished_at: days === null ? null : Math.floor(Date.now() / 1000) - days * 86_400,
  })
  await postgres.db
    .insertInto('task')
    .values([ended('old', 31), ended('fresh', 29), ended('open', null)])
    .execute()
  const jobs = aWorker()
  jobs.handle('work', {}, async () => {})
  await jobs.start()
  const titles = async () =>
    (await postgres.db.selectFrom('task').select('title').orderBy('id').execute()).map((t) => t.title)
  await until(async () => (await titles()).length === 2)
  expect(await titles()).toEqual(['fresh', 'open'])
})

describe('a job', () => {
  test('starts at once after its sender’s commit, and its task follows it', async () => {
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
    expect(began - sent).toBeLessThan(300)
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

  test('of a rolled back sender is never delivered', async () => {
    const jobs = aWorker()
    const ran = vi.fn(async () => {})
    jobs.handle('work', {}, ran)
    await jobs.start()
    await transaction(postgres.db, async (tx) => {
      await jobs.send(tx, 'work', {}, shown)
      throw new Error('no')
    }).catch(() => {})
    await pause(500)
    expect(ran).not.toHaveBeenCalled()
    expect(await postgres.db.selectFrom('task').selectAll().execute()).toEqual([])
  })

  test('sent by a process without workers is found by one that has them', async () => {
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

  test('runs no more often at once than its kind allows', async () => {
    const jobs = aWorker()
    let now = 0
    let most = 0
    let done = 0
    jobs.handle('work', { concurrency: 3 }, async () => {
      most = Math.max(most, ++now)
      await pause(50)
      now--
      done++
    })
    await jobs.start()
    await transaction(postgres.db, async (tx) => {
      for (let n = 0; n < 10; n++) await jobs.send(tx, 'work', { n })
    })
    await until(() => done === 10)
    expect(most).toBe(3)
  })
})

describe('jobs of one key', () => {
  test('wait once and run one after the other, and the last one sees the last change', async () => {
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
    const tasks = await postgres.db.selectFrom('task').select('status').execute()
    expect(tasks).toHaveLength(seen.length)
    expect(tasks.every(({ status }) => status === 'done')).toBe(true)
  })

  test('do not hold up those of other keys', async () => {
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

  test('the second of two sent while one waits is the first', async () => {
    const jobs = aWorker()
    jobs.handle('work', {}, async () => {})
    await jobs.start({ work: false })
    const first = await send(jobs, {}, { singletonKey: 'a', ...shown })
    expect(await send(jobs, {}, { singletonKey: 'a', ...shown })).toEqual(first)
    expect(await send(jobs, {}, { singletonKey: 'b', ...shown })).not.toEqual(first)
  })
})

describe('a job that throws', () => {
  test('is tried again with growing pauses', async () => {
    silent()
    const jobs = aWorker()
    const times: number[] = []
    jobs.handle('work', { retries: 2, retryDelaySeconds: 0.3 }, async () => {
      times.push(performance.now())
      if (times.length < 3) throw new Error('flaky')
    })
    await jobs.start()
    const { task_id } = await send(jobs, {}, shown)
    await until(() => times.length === 1)
    await until(async () => (await task(task_id)).status === 'done')
    const [first = 0, second = 0, third = 0] = times
    expect(second - first).toBeGreaterThan(290)
    expect(third - second).toBeGreaterThan(590)
  })

  test('for ever fails with a reason in Chinese, tells its kind, and runs again when asked to', async () => {
    silent()
    const jobs = aWorker()
    let broken = true
    jobs.handle<{ crowd: number }>(
      'work',
      {
        retries: 1,
        retryDelaySeconds: 0,
        failed: async (tx, job, reason) => {
          await tx
            .insertInto('setting')
            .values({ name: `failed ${job.data.crowd}`, value: reason })
            .execute()
        },
      },
      async () => {
        if (broken) throw new Error('ENOENT: secret path')
      },
    )
    await jobs.start()
    const { task_id } = await send(jobs, { crowd: 7 }, shown)
    await until(async () => (await task(task_id)).status === 'failed')
    const reason = (await task(task_id)).error
    expect(reason).toMatch(/^处理时出现意外错误/)
    expect(await postgres.db.selectFrom('setting').selectAll().execute()).toEqual([{ name: 'failed 7', value: reason }])

    broken = false
    expect(await transaction(postgres.db, (tx) => jobs.retry(tx, task_id ?? 0))).toBe(true)
    await until(async () => (await task(task_id)).status === 'done')
    expect(await task(task_id)).toMatchObject({ error: null, progress: 1 })
    expect(await transaction(postgres.db, (tx) => jobs.retry(tx, task_id ?? 0))).toBe(false)
  })

  test('on purpose fails at once, in its own words', async () => {
    const jobs = aWorker()
    const ran = vi.fn(async () => {
      throw new AppError('importUnreadable', { reason: '第 3 列缺失' })
    })
    jobs.handle('work', { retries: 5 }, ran)
    await jobs.start()
    const { task_id } = await send(jobs, {}, shown)
    await until(async () => (await task(task_id)).status === 'failed')
    expect(await task(task_id)).toMatchObject({ error: '文件无法读取：第 3 列缺失' })
    expect(ran).toHaveBeenCalledOnce()
  })
})

describe('the hold on a job', () => {
  test('is kept while its worker lives, however long it takes', async () => {
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

  test('passes to another when its worker vanished, and the first one’s results are refused', async () => {
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
    // As if it had not been heard of for a minute.
    await sql`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`.execute(
      postgres.db,
    )
    await reclaim(postgres.db, [{ name: 'work', seconds: 30 }])
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

  test('left by a former process of a store that is ours alone is taken over at the start', async () => {
    const jobs = aWorker({ soleWorker: true })
    const ran = vi.fn(async () => {})
    jobs.handle('work', { leaseSeconds: 600 }, ran)
    await jobs.start({ work: false })
    await send(jobs)
    await sql`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now()`.execute(postgres.db)
    await jobs.stop()
    await jobs.start()
    await until(() => ran.mock.calls.length === 1)
  })

  test('of a job that takes its process down again and again is not given any more', async () => {
    const jobs = aWorker()
    const ran = vi.fn(async () => {})
    jobs.handle('work', {}, ran)
    await jobs.start({ work: false })
    const { task_id } = await send(jobs, {}, shown)
    await sql`update pgboss.job set started_on = now(), retry_count = 20`.execute(postgres.db)
    await jobs.stop()
    await jobs.start()
    await until(async () => (await task(task_id)).status === 'failed')
    expect((await task(task_id)).error).toMatch(/多次中途退出/)
    expect(ran).not.toHaveBeenCalled()
  })
})

test('a task whose job is gone is failed, with a reason', async () => {
  const jobs = aWorker()
  jobs.handle('work', {}, async () => {})
  await jobs.start({ work: false })
  const { task_id } = await send(jobs, {}, shown)
  await sql`delete from pgboss.job where name = 'work'`.execute(postgres.db)
  await jobs.stop()
  await jobs.start()
  await until(async () => (await task(task_id)).status === 'failed')
  expect((await task(task_id)).error).toBe('任务已中断，请重试')
})

describe('stopping', () => {
  test('finishes what runs and takes up nothing new', async () => {
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

  test('puts back what would take too long, without counting it as a failure', async () => {
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

test('a schedule is kept, and dropped with the code that made it', async () => {
  const schedules = async () => (await sql`select name, cron, timezone from pgboss.schedule`.execute(postgres.db)).rows
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

test('a time that passed while nothing ran is made up for once', async () => {
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
    // Before the third start a week goes by.
    if (start === 2) await sql`update pgboss.job set created_on = now() - interval '7 days'`.execute(postgres.db)
  }
})
