import { expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import { transaction } from '../postgres/transaction.ts'
import { shown, testJobs, until } from '../testing/jobs.ts'

const { db, aWorker, send, task, states } = await testJobs()

test('a waiting job stays the same task, occupies neither worker nor group, and starts early when asked to', async () => {
  const jobs = aWorker()
  const ran: string[] = []
  jobs.handle<{ name: string; waits?: boolean }>('work', { concurrency: 1 }, async (job) => {
    ran.push(job.data.name)
    if (job.data.waits && ran.filter((name) => name === job.data.name).length === 1) {
      await job.wait(async () => {}, 3600, outcome('platform_computing'))
    }
  })
  await jobs.start()
  const { task_id } = await send(jobs, { name: 'waits', waits: true }, { ...shown, group: 'account' })
  await until(async () => (await task(task_id)).stage === '平台正在计算')
  expect(await task(task_id)).toMatchObject({
    status: 'waiting',
    stage_outcome: outcome('platform_computing'),
    finished_at: null,
  })
  const other = await send(jobs, { name: 'other' }, { ...shown, group: 'account' })
  await until(async () => (await task(other.task_id)).status === 'done')
  expect(ran).toEqual(['waits', 'other'])

  expect(await transaction(db, (tx) => jobs.startNow(tx, task_id ?? 0))).toBe(true)
  await until(async () => (await task(task_id)).status === 'done')
  expect(ran).toEqual(['waits', 'other', 'waits'])
  expect(await task(task_id)).toMatchObject({ stage: '', stage_outcome: null })
  expect(await states()).toEqual(['completed', 'completed'])
  expect(await transaction(db, (tx) => jobs.startNow(tx, task_id ?? 0))).toBe(false)
})

test('waiting often does not count as killing the process', async () => {
  const jobs = aWorker({ poll: 50 })
  let runs = 0
  jobs.handle('work', {}, async (job) => {
    if (++runs < 30) await job.wait(async () => {}, 0, null)
  })
  await jobs.start()
  const { task_id } = await send(jobs, {}, shown)
  await until(async () => (await task(task_id)).status === 'done', 20_000)
  expect(runs).toBe(30)
})
