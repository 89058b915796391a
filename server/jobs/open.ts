import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import { logUnlessAway } from '../postgres/away.ts'
import type { Postgres } from '../postgres/open.ts'
import type { Database } from '../postgres/schema.ts'
import { afterCommit } from '../postgres/transaction.ts'
import { now } from '../time/clock.ts'
import type { HandleOptions, Handler, Kind, Payload } from './kind.ts'
import { cancelJob, startNow, waitingJobWithKey } from './lease.ts'
import { keepSchedules, type Schedule, scheduler } from './schedule.ts'
import { NO_STAGE } from './task.ts'
import { startWorker, type Worker } from './worker.ts'

export interface SendOptions {
  /**
   * At most one job waits and at most one runs under a key. Sending another while one waits adds none: the waiting job
   * will see the changes of the sender's transaction.
   */
  singletonKey?: string
  /**
   * Jobs of a group run one at a time, in the order sent; waiting ones occupy no worker. A key is a group of its own.
   */
  group?: string
  /** Seconds to wait before the job starts. */
  startAfter?: number
  /** Starts at once, also if a job with the key waits for a later time. */
  atOnce?: boolean
  /** Shows the job to viewers. */
  task?: { title: string; adv_id: number | null; viewer_id: number | null; link?: string | null }
}

export interface Sent {
  job_id: string
  task_id: number | null
}

export type Jobs = ReturnType<typeof openJobs>

const DAY_S = 86_400

/** `instance` is this start of the process; if it is killed, the next start finds its jobs by this id. */
export function openJobs(
  postgres: Postgres,
  { poll = 1000, soleWorker = postgres.embedded, instance = randomUUID() as string } = {},
) {
  const { db, pool } = postgres
  const kinds = new Map<string, Kind>()
  const schedules: Schedule[] = []
  let boss: PgBoss | undefined
  let worker: Worker | undefined

  const started = () => {
    if (!boss) throw new Error('jobs.start() comes first')
    return boss
  }

  /** False if the key already has a waiting job. */
  async function enqueue(tx: Transaction<Database>, name: string, id: string, payload: Payload, options: SendOptions) {
    if (!kinds.has(name)) throw new Error(`No job is called ${name}`)
    const group = groupOf(options)
    const sent = await started().send(name, payload, {
      id,
      // pg-boss would treat all jobs without a key as having the same one.
      singletonKey: options.singletonKey ?? id,
      ...(group === undefined ? {} : { group: { id: group } }),
      ...(options.startAfter === undefined ? {} : { startAfter: options.startAfter }),
      db: fromKysely(tx),
    })
    if (sent === null) return false
    afterCommit(() => worker?.wake(name))
    return true
  }

  return {
    /** Registers the handler of a kind of job. Called in every role, before `start()`. */
    handle<D extends object>(name: string, options: HandleOptions<D>, handler: Handler<D>) {
      if (boss) throw new Error('handle() comes before start()')
      kinds.set(name, { name, options, handler })
    },

    /** Sends the job once the caller's transaction commits. */
    async send<D extends object>(
      tx: Transaction<Database>,
      name: string,
      data: D,
      options: SendOptions = {},
    ): Promise<Sent> {
      const key = options.singletonKey
      for (;;) {
        const waiting = key === undefined ? undefined : await waitingJobWithKey(tx, name, key)
        if (waiting) {
          if (options.atOnce && (await startNow(tx, name, waiting.id))) afterCommit(() => worker?.wake(name))
          return { job_id: waiting.id, task_id: waiting.task }
        }
        const job_id = randomUUID()
        const task_id = options.task ? await insertTask(tx, name, job_id, data, options) : null
        const payload = { data, task: task_id, failures: 0, returns: 0, wait: options.startAfter ?? 0 }
        if (await enqueue(tx, name, job_id, payload, options)) {
          return { job_id, task_id }
        }
        if (task_id !== null) await tx.deleteFrom('task').where('id', '=', task_id).execute()
      }
    },

    /** Starts a task's waiting job now; false if it does not wait. */
    async startNow(tx: Transaction<Database>, taskId: number): Promise<boolean> {
      // Without a lock: a running job and `cancel` lock the job before its task.
      const task = await tx.selectFrom('task').select(['job', 'job_id']).where('id', '=', taskId).executeTakeFirst()
      if (!task?.job || task.job_id === null || !(await startNow(tx, task.job.name, task.job_id))) return false
      const { name } = task.job
      afterCommit(() => worker?.wake(name))
      return true
    },

    /**
     * Ends a task's job, also while it runs: its worker stops, and what it still tries to store is refused. False if the
     * job has ended. Call it before other rows of the job are locked: a running job locks its own row first.
     */
    async cancel(tx: Transaction<Database>, taskId: number): Promise<boolean> {
      const task = await tx.selectFrom('task').select(['job', 'job_id']).where('id', '=', taskId).executeTakeFirst()
      if (!task?.job || task.job_id === null) return false
      const { job_id } = task
      if (!(await cancelJob(tx, task.job.name, job_id))) return false
      await tx
        .updateTable('task')
        .set({ status: 'cancelled', ...NO_STAGE, finished_at: now() })
        .where('id', '=', taskId)
        .execute()
      afterCommit(() => worker?.abort(job_id))
      return true
    },

    /** Runs a failed task's job again; false if the task has not failed. */
    async retry(tx: Transaction<Database>, taskId: number): Promise<boolean> {
      const task = await tx
        .selectFrom('task')
        .select(['status', 'job'])
        .where('id', '=', taskId)
        .forUpdate()
        .executeTakeFirst()
      if (task?.status !== 'failed' || !task.job) return false
      const { name, data: before, group } = task.job
      const job_id = randomUUID()
      await tx
        .updateTable('task')
        .set({
          status: 'waiting',
          job_id,
          progress: 0,
          ...NO_STAGE,
          error: null,
          started_at: null,
          finished_at: null,
        })
        .where('id', '=', taskId)
        .execute()
      const retried = await kinds.get(name)?.options.retried?.(tx, { id: job_id, data: before, task_id: taskId })
      const data = retried ?? before
      const job = JSON.stringify({ ...task.job, data })
      if (retried) await tx.updateTable('task').set({ job }).where('id', '=', taskId).execute()
      const payload = { data, task: taskId, failures: 0, returns: 0, wait: 0 }
      return enqueue(tx, name, job_id, payload, group ? { group } : {})
    },

    /** Ends a failed task whose work another job has done, so that it cannot be retried. */
    async endFailed(tx: Transaction<Database>, taskId: number): Promise<void> {
      await tx
        .updateTable('task')
        .set({ status: 'done', progress: 1, ...NO_STAGE, error: null, finished_at: now() })
        .where('id', '=', taskId)
        .where('status', '=', 'failed')
        .execute()
    },

    /**
     * Schedules a kind of job: `cron` in time zone `tz`. If times passed while no worker ran, it runs once at the
     * start.
     */
    schedule(name: string, cron: string, tz: string, data: object = {}) {
      schedules.push({ name, cron, tz, data })
    },

    async start({ work = true } = {}) {
      const opened = new PgBoss({
        db: { executeSql: (text, values) => pool.query(text, values) },
        backend: postgres.embedded ? 'pglite' : 'postgres',
        // Ours are in schedule.ts.
        schedule: false,
        supervise: work,
      })
      opened.on('error', (error) => logUnlessAway('任务队列出错', error))
      await opened.start()
      const known = new Set((await opened.getQueues()).map((queue) => queue.name))
      for (const name of kinds.keys()) {
        if (known.has(name)) continue
        await opened.createQueue(name, QUEUE)
        // Fills pg-boss's cache: a later lookup inside a transaction would use another connection.
        await opened.getQueueStats(name)
      }
      if (work) await keepSchedules(opened, schedules)
      boss = opened
      if (!work) return
      const { sendDue } = scheduler(db, opened, schedules)
      await sendDue()
      worker = await startWorker(db, opened, kinds, { poll, soleWorker, instance, sendScheduled: sendDue })
    },

    /**
     * Stops taking up jobs and waits for running ones; those that take longer than `graceMs` are put back for the next
     * start.
     */
    async stop({ graceMs = 30_000 } = {}) {
      await worker?.stop(graceMs)
      worker = undefined
      await boss?.stop({ close: false, graceful: false })
      boss = undefined
    },
  }
}

/** Retries, leases and failures are handled in worker.ts; pg-boss stores waiting jobs and deletes ended ones. */
const QUEUE = { policy: 'short', retryLimit: 0, expireInSeconds: DAY_S - 3600, deleteAfterSeconds: 3 * DAY_S } as const

const groupOf = ({ group, singletonKey }: SendOptions) => group ?? singletonKey

async function insertTask(
  tx: Transaction<Database>,
  kind: string,
  job_id: string,
  data: object,
  options: SendOptions,
): Promise<number> {
  const { task } = options
  const group = groupOf(options)
  const { id } = await tx
    .insertInto('task')
    .values({
      kind,
      title: task?.title ?? kind,
      adv_id: task?.adv_id ?? null,
      viewer_id: task?.viewer_id ?? null,
      link: task?.link ?? null,
      status: 'waiting',
      job_id,
      job: JSON.stringify({ name: kind, data, ...(group === undefined ? {} : { group }) }),
      created_at: now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
