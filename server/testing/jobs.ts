import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { type Jobs, openJobs, type SendOptions } from '../jobs/open.ts'
import type { Database } from '../postgres/schema.ts'
import { transaction } from '../postgres/transaction.ts'
import { testPostgres, truncateAll } from './postgres.ts'

/** A queue for the tests of one file. It is emptied before each test; what a test opens is closed after it. */
export async function testJobs(openDatabase = testPostgres) {
  const postgres = await openDatabase()
  const db: Kysely<Database> = postgres.db
  let open: Jobs[] = []
  beforeEach(() => truncateAll(db))
  afterEach(async () => {
    await Promise.all(open.map((jobs) => jobs.stop({ graceMs: 0 })))
    open = []
    vi.restoreAllMocks()
  })
  afterAll(() => postgres.close())

  return {
    db,
    /** The queue's URL for other processes; undefined for PGlite. */
    databaseUrl: postgres.databaseUrl,
    /** A worker that the queue takes for another process. */
    aWorker(options?: Parameters<typeof openJobs>[1]): Jobs {
      const jobs = openJobs(postgres, { poll: 200, soleWorker: false, ...options })
      open.push(jobs)
      return jobs
    },
    send: (jobs: Jobs, data: object = {}, options?: SendOptions, name = 'work') =>
      transaction(db, (tx) => jobs.send(tx, name, data, options)),
    task: (id: number | null) => db.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** The states of all jobs, in the order they were sent. */
    async states() {
      const { rows } = await sql<{ state: string }>`
        select state::text from pgboss.job where name not like '\\_\\_%' order by created_on`.execute(db)
      return rows.map((row) => row.state)
    },
  }
}

/** A job that viewers see as a task. */
export const shown = { task: { title: '计算人群', adv_id: null, viewer_id: null, link: '/x' } }

export const until = (check: () => unknown, timeout = 8000) =>
  vi.waitFor(async () => expect(await check()).toBeTruthy(), { timeout, interval: 20 })

/** For tests of failures that are logged. */
export const silent = () => vi.spyOn(console, 'error').mockImplementation(() => {})
