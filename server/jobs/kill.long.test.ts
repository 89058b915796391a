import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgres } from '../postgres/open.ts'
import { type TestPostgres, testPostgres } from '../testing/postgres.ts'
import { openJobs } from './open.ts'

const KILLS = 6

let made: TestPostgres
let child: ChildProcess | undefined
beforeAll(async () => {
  made = await testPostgres()
  await sql`create table result (job int not null)`.execute(made.db)
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await made.close()
})

/** Sends and runs jobs until it is killed; prints `sent n` when the send of job n is committed. */
function program(at: object, from: number) {
  const here = JSON.stringify(import.meta.dirname)
  return `
    const { openPostgres } = await import(${here} + '/../postgres/open.ts')
    const { transaction } = await import(${here} + '/../postgres/transaction.ts')
    const { openJobs } = await import(${here} + '/open.ts')
    const { sql } = await import('kysely')
    const postgres = await openPostgres(${JSON.stringify(at)})
    const jobs = openJobs(postgres, { poll: 100 })
    jobs.handle('work', { concurrency: 3, leaseSeconds: 1, retries: 0 }, async (job) => {
      job.task.progress(0.5, '一半')
      await new Promise((resolve) => setTimeout(resolve, 60))
      await job.finish((tx) => sql\`insert into result values (\${job.data.n})\`.execute(tx))
    })
    await jobs.start()
    for (let n = ${from}; n < ${from} + 1000; n++) {
      await transaction(postgres.db, (tx) =>
        jobs.send(tx, 'work', { n }, { task: { title: String(n), adv_id: null, viewer_id: null } }))
      console.log(n)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }`
}

test(`a process killed ${KILLS} times loses no job and finishes each one once`, async () => {
  const at = { databaseUrl: made.databaseUrl, dataDir: made.dataDir }
  // Two processes must not open one PGlite.
  if (made.embedded) await made.pause()
  const sent: number[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const killed = spawn(process.execPath, ['--input-type=module', '-e', program(at, kill * 1000)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: join(import.meta.dirname, '../..'),
    })
    child = killed
    const lines = createInterface({ input: killed.stdout as NodeJS.ReadableStream })
    lines.on('line', (line) => sent.push(Number(line)))
    await once(lines, 'line')
    await pause(200 + 77 * kill)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
  }

  const postgres = made.embedded ? await openPostgres(at) : made
  const jobs = openJobs(postgres, { poll: 100 })
  jobs.handle<{ n: number }>('work', { concurrency: 8, leaseSeconds: 1, retries: 0 }, (job) =>
    job.finish((tx) => sql`insert into result values (${job.data.n})`.execute(tx)),
  )
  await jobs.start()
  const left = async () => {
    const { rows } = await sql<{
      left: number
    }>`select count(*) as left from task where status not in ('done', 'failed')`.execute(postgres.db)
    return rows[0]?.left ?? 0
  }
  while ((await left()) > 0) await pause(100)
  const { rows } = await sql<{
    job: number
    times: number
  }>`select job, count(*) as times from result group by job`.execute(postgres.db)
  expect(rows.filter((row) => row.times !== 1)).toEqual([])
  const done = new Set(rows.map((row) => row.job))
  expect(sent.length).toBeGreaterThan(KILLS)
  expect(sent.filter((n) => !done.has(n))).toEqual([])
  const { rows: states } = await sql<{ status: string; state: string; tasks: number }>`
    select task.status, job.state::text, count(*) as tasks from task join pgboss.job job on job.id::text = task.job_id
    group by 1, 2`.execute(postgres.db)
  expect(states).toEqual([{ status: 'done', state: 'completed', tasks: done.size }])
  await jobs.stop()
  if (made.embedded) await postgres.close()
}, 120_000)
