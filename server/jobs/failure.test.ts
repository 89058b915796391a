import { describe, expect, test, vi } from 'vitest'
import { outcome, sentenceOf, sentenceOrNull } from '#contract/outcome.ts'
import { EngineError } from '../clickhouse/engine-error.ts'
import { AppError } from '../errors.ts'
import { transaction } from '../postgres/transaction.ts'
import { shown, silent, testJobs, until } from '../testing/jobs.ts'

const { db, aWorker, send, task, states } = await testJobs()

describe('a job that throws', () => {
  test('is retried with growing pauses', async () => {
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

  test('is retried without a word in the log while someone cancels its statements', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    const jobs = aWorker()
    let runs = 0
    jobs.handle('work', { retries: 1, retryDelaySeconds: 0 }, async () => {
      runs++
      throw new EngineError('cancelled', `run ${runs}`)
    })
    await jobs.start()
    const { task_id } = await send(jobs, {}, shown)
    await until(async () => (await task(task_id)).status === 'failed')
    expect(runs).toBe(2)
    expect(errors.mock.calls).toEqual([
      [expect.stringContaining('第 2 次出错'), expect.objectContaining({ message: 'run 2' })],
    ])
  })

  test('every time fails with a reason in Chinese, notifies its kind, and runs again when asked to', async () => {
    silent()
    const jobs = aWorker()
    let broken = true
    jobs.handle<{ crowd: number }>(
      'work',
      {
        retries: 1,
        retryDelaySeconds: 0,
        failed: async (tx, job, why) => {
          await tx
            .insertInto('setting')
            .values({ name: `failed ${job.data.crowd}`, value: sentenceOf(why) })
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
    const reason = sentenceOrNull((await task(task_id)).error)
    expect(reason).toMatch(/^处理时出现意外错误/)
    expect(await db.selectFrom('setting').selectAll().execute()).toEqual([{ name: 'failed 7', value: reason }])

    broken = false
    expect(await transaction(db, (tx) => jobs.retry(tx, task_id ?? 0))).toBe(true)
    await until(async () => (await task(task_id)).status === 'done')
    expect(await task(task_id)).toMatchObject({ error: null, progress: 1 })
    expect(await transaction(db, (tx) => jobs.retry(tx, task_id ?? 0))).toBe(false)
  })

  test('for want of disk space says so while it waits and when it ends', async () => {
    silent()
    const jobs = aWorker()
    const ran = vi.fn(async () => {
      throw new EngineError('disk_full', 'Cannot reserve 1.00 MiB')
    })
    jobs.handle('work', { retries: 1, retryDelaySeconds: 0.5 }, ran)
    await jobs.start()
    const { task_id } = await send(jobs, {}, shown)
    await until(async () => ran.mock.calls.length === 1 && (await task(task_id)).status === 'waiting')
    expect((await task(task_id)).stage).toContain('服务器的磁盘空间不足')
    await until(async () => (await task(task_id)).status === 'failed')
    expect((await task(task_id)).error).toEqual(outcome('task_disk_full'))
  })

  test('on purpose fails at once, with its own reason', async () => {
    const jobs = aWorker()
    const ran = vi.fn(async () => {
      throw new AppError('importUnreadable', { reason: outcome('row_ragged', { has: 2, wants: 3 }) })
    })
    jobs.handle('work', { retries: 5 }, ran)
    await jobs.start()
    const { task_id } = await send(jobs, {}, shown)
    await until(async () => (await task(task_id)).status === 'failed')
    expect(await task(task_id)).toMatchObject({
      error: outcome('fault', {
        fault: 'importUnreadable',
        words: {},
        cause: outcome('row_ragged', { has: 2, wants: 3 }),
      }),
    })
    expect(ran).toHaveBeenCalledOnce()
  })

  test('is retried as often as its error asks for, and fails with a reason for it and no stage', async () => {
    silent()
    const jobs = aWorker()
    const ran: string[] = []
    jobs.handle<{ fault: string }>(
      'work',
      {
        retries: (error) => (String(error).includes('away') ? 2 : 0),
        retryDelaySeconds: 0.1,
        outcomeOf: (error) => outcome('legacy', { text: `没有成功：${(error as Error).message}` }),
      },
      async (job) => {
        ran.push(job.data.fault)
        job.task.progress(0.3, '读取文件')
        throw new Error(job.data.fault)
      },
    )
    await jobs.start()
    for (const fault of ['broken', 'away']) {
      const { task_id } = await send(jobs, { fault }, shown)
      await until(async () => (await task(task_id)).status === 'failed')
      expect(await task(task_id)).toMatchObject({
        error: { code: 'legacy', params: { text: `没有成功：${fault}` } },
        stage: '',
      })
    }
    expect(ran).toEqual(['broken', 'away', 'away', 'away'])
  })

  test('ends as soon as its end can be written, if that fails at first', async () => {
    silent()
    const jobs = aWorker()
    let isFull = true
    jobs.handle(
      'work',
      {
        failed: async () => {
          if (isFull) throw new Error('could not extend file: No space left on device')
        },
      },
      async () => {
        throw new AppError('importDiskFull')
      },
    )
    await jobs.start()
    const { task_id } = await send(jobs, {}, shown)
    await until(() => vi.mocked(console.error).mock.calls.length > 0)
    expect(await states()).toEqual(['active'])
    isFull = false
    await until(async () => (await task(task_id)).status === 'failed')
    expect(await states()).toEqual(['failed'])
  })

  test('notifies its kind when a viewer sends it again, in the same transaction', async () => {
    const jobs = aWorker()
    jobs.handle<{ crowd: number }>(
      'work',
      {
        retried: async (tx, job) => {
          await tx
            .insertInto('setting')
            .values({ name: `again ${job.data.crowd}`, value: '' })
            .execute()
        },
      },
      async () => {
        throw new AppError('importDiskFull')
      },
    )
    await jobs.start()
    const { task_id } = await send(jobs, { crowd: 7 }, shown)
    await until(async () => (await task(task_id)).status === 'failed')
    await transaction(db, (tx) => jobs.retry(tx, task_id ?? 0))
    expect(await db.selectFrom('setting').select('name').execute()).toEqual([{ name: 'again 7' }])
  })
})

test('a finished job has no stage', async () => {
  const jobs = aWorker()
  jobs.handle('work', {}, async (job) => {
    job.task.progress(0.3, '读取文件')
    await until(async () => (await task(job.task.id)).stage === '读取文件')
  })
  await jobs.start()
  const { task_id } = await send(jobs, {}, shown)
  await until(async () => (await task(task_id)).status === 'done')
  expect((await task(task_id)).stage).toBe('')
})
