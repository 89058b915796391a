import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { shown, testJobs, until } from '../testing/jobs.ts'
import { HOUR_MS, shiftedClock } from '../testing/shifted-clock.ts'

const HERE = JSON.stringify(import.meta.dirname)
const LEASE_SECONDS = 1

/** Another process on the same database. A job takes time only on the process named in its data. */
const PROGRAM = `
  const { openPostgres } = await import(${HERE} + '/../postgres/open.ts')
  const { registerInstance } = await import(${HERE} + '/../process/instance.ts')
  const { openJobs } = await import(${HERE} + '/open.ts')
  const dataDir = process.env.DATA_DIR
  const postgres = await openPostgres({ databaseUrl: process.env.DATABASE_URL, dataDir })
  const jobs = openJobs(postgres, { poll: 100, instance: await registerInstance(postgres, dataDir) })
  jobs.handle('slow', { leaseSeconds: ${LEASE_SECONDS}, retries: 0 }, async ({ data, finish }) => {
    if (data.on === process.env.NAME) await new Promise((resolve) => setTimeout(resolve, data.ms))
    await finish(async () => {}, { by: process.env.NAME })
  })
  await jobs.start()
  console.log('up')`

const isServed = process.env.RENQUN_TEST_POSTGRES !== undefined
const { db, databaseUrl, aWorker, send, task } = await testJobs()

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function aProcess(name: string, shiftMs: number, dir?: string) {
  const dataDir = dir ?? mkdtempSync(join(tmpdir(), 'renqun-clock-'))
  const clock = shiftedClock(shiftMs)
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: { PATH: process.env.PATH, NAME: name, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...clock.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }), clock.remove, kill)
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return { kill, dataDir }
}

/** Sends a job from this process, which runs no jobs. */
async function aJob(on: string, ms: number, options = {}) {
  const jobs = aWorker()
  jobs.handle('slow', {}, async () => {})
  await jobs.start({ work: false })
  const { task_id } = await send(jobs, { on, ms }, { ...shown, ...options }, 'slow')
  return {
    running: () => until(async () => (await task(task_id)).status === 'running'),
    /** The process that finished the job. */
    async doneBy() {
      await until(async () => (await task(task_id)).status === 'done')
      return (await task(task_id)).result
    },
  }
}

const takes = async () =>
  (await sql<{ n: number }>`select max(retry_count) as n from pgboss.job`.execute(db)).rows[0]?.n

describe.runIf(isServed).each([
  ['ahead', 3 * HOUR_MS],
  ['behind', -3 * HOUR_MS],
])('with the clock of one of two processes hours %s', (_where, shiftMs) => {
  test('each process keeps its own running job', async () => {
    await aProcess('shifted', shiftMs)
    const first = await aJob('shifted', 4000)
    await first.running()
    await aProcess('right', 0)
    const second = await aJob('right', 2500)
    await second.running()
    expect(await first.doneBy()).toEqual({ by: 'shifted' })
    expect(await second.doneBy()).toEqual({ by: 'right' })
    expect(await takes()).toBe(0)
  })

  test('the job of a killed process passes to the other after the lease', async () => {
    for (const [killed, killedShift, left, leftShift] of [
      ['shifted', shiftMs, 'right', 0],
      ['right', 0, 'shifted', shiftMs],
    ] as const) {
      const one = await aProcess(killed, killedShift)
      const job = await aJob(killed, 60_000)
      await job.running()
      const other = await aProcess(left, leftShift)
      await one.kill()
      const began = performance.now()
      expect(await job.doneBy()).toEqual({ by: left })
      // The lease, and one or two checks.
      expect(performance.now() - began).toBeLessThan(LEASE_SECONDS * 1000 + 3000)
      await other.kill()
    }
  })

  test('a delayed job waits exactly as long as asked', async () => {
    await aProcess('shifted', shiftMs)
    const job = await aJob('', 0, { startAfter: 2 })
    const began = performance.now()
    await pause(1000)
    expect(await job.doneBy()).toEqual({ by: 'shifted' })
    expect(performance.now() - began).toBeGreaterThan(1500)
  })
})

test.runIf(isServed)('a restarted process takes its own jobs back at once, long before their lease ends', async () => {
  const one = await aProcess('first', 0)
  const job = await aJob('first', 60_000)
  await job.running()
  await one.kill()
  // The lease has hours left.
  await sql`update pgboss.job set heartbeat_on = now() + interval '3 hours' where state = 'active'`.execute(db)
  await aProcess('again', 0, one.dataDir)
  await until(async () => (await takes()) === 1, LEASE_SECONDS * 500)
  expect(await job.doneBy()).toEqual({ by: 'again' })
})
