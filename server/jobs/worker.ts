import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely, Transaction, UpdateObject } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import { now } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Database } from '../postgres/schema.ts'
import { transaction } from '../postgres/transaction.ts'
import {
  dueQueues,
  endAs,
  endOrphans,
  forgetOld,
  type Hold,
  oneTakerAtATime,
  putBack,
  reclaim,
  renew,
  standsIn,
} from './lease.ts'
import { type TaskProgress, taskProgress } from './task.ts'

export interface HandleOptions<D extends object> {
  /** How many of a kind run at once in this process. */
  concurrency?: number
  /** A job whose worker vanished is taken up again after this. */
  leaseSeconds?: number
  /** How often a job that throws is tried again, for any error or for this one; and the first pause, each further one twice as long. */
  retries?: number | ((error: unknown) => number)
  retryDelaySeconds?: number
  /** What viewers read once an error that was not said to them on purpose has been tried often enough. */
  reasonOf?(error: unknown): string
  /** Part of the transaction in which the job ends as failed; `reason` is what viewers read. */
  failed?(
    tx: Transaction<Database>,
    job: { id: string; data: D; task_id: number | null },
    reason: string,
  ): Promise<void>
  /** Part of the transaction in which a viewer sends a failed job again. */
  retried?(tx: Transaction<Database>, job: { id: string; data: D; task_id: number }): Promise<void>
}

export interface RunningJob<D extends object> {
  id: string
  data: D
  /** Aborted when the hold on the job is lost, or the server will not wait any longer. */
  signal: AbortSignal
  task: TaskProgress
  /** A transaction that commits only while this worker still holds the job. */
  step<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T>
  /**
   * The same, and the job ends with it: its last transaction, and the task's result. Without it the job ends when the
   * handler returns.
   */
  finish<T>(work: (tx: Transaction<Database>) => Promise<T>, result?: object): Promise<T>
  /**
   * The same, and the job goes back into the queue for so many seconds, as the same task: it waits for something else and
   * holds no worker and no group meanwhile. The handler returns after it.
   */
  wait<T>(work: (tx: Transaction<Database>) => Promise<T>, seconds: number, stage: string): Promise<T>
}

/** May run again after a crash: what it did before must do no harm. A plain object it answers becomes the task's result. */
export type Handler<D extends object> = (job: RunningJob<D>) => Promise<unknown>

export interface Kind {
  name: string
  options: HandleOptions<object>
  /** A method, which takes handlers of narrower data too: what is sent under a name is what its handler asks for. */
  handler(job: RunningJob<object>): Promise<unknown>
}

/** What pg-boss keeps for us. */
export interface Payload {
  data: object
  task: number | null
  failures: number
  /** How often it was put back because the server stopped. */
  returns: number
}

export interface Worker {
  wake(name: string): void
  stop(graceMs: number): Promise<void>
}

interface Running {
  hold: Hold
  payload: Payload
  abort: AbortController
  ended: Promise<void>
}

const LEASE_S = 15
const RETRIES = 3
const END_AGAIN_MS = 3000
const RECLAIM_EVERY_MS = 3000
/** A wait no longer than this ends on time; the look at the queue finds the end of any. */
const ON_TIME_S = 60
const TIDY_EVERY_MS = 3_600_000
/** How long a task that ended is kept. */
const TASK_DAYS = 30
/** A job that took its process down this often is not tried again. */
const VANISHED_MAX = 20
const ORPHANED = '任务已中断，请重试'
const VANISHED = '处理此任务的进程多次中途退出，已停止重试'
const UNEXPECTED = '处理时出现意外错误，请重试；若仍然失败，请联系管理员查看服务日志'

export async function startWorker(
  db: Kysely<Database>,
  boss: PgBoss,
  kinds: Map<string, Kind>,
  { poll, soleWorker }: { poll: number; soleWorker: boolean },
): Promise<Worker> {
  const running = new Map<string, Set<Running>>([...kinds.keys()].map((name) => [name, new Set()]))
  const filling = new Map<string, Promise<void>>()
  const again = new Set<string>()
  const leases = [...kinds.values()].map(({ name, options }) => ({ name, seconds: options.leaseSeconds ?? LEASE_S }))
  let stopping = false

  const all = () => [...running.values()].flatMap((jobs) => [...jobs])
  const tell = (error: unknown) => console.error('任务队列出错', error)

  /** Takes up as many jobs of a kind as it may run. */
  function fill(kind: Kind) {
    if (filling.has(kind.name)) {
      again.add(kind.name)
      return
    }
    const jobs = running.get(kind.name) ?? new Set()
    const filled = (async () => {
      do {
        again.delete(kind.name)
        while (!stopping && jobs.size < (kind.options.concurrency ?? 1)) {
          const taken = await take(kind)
          if (!taken) break
          const abort = new AbortController()
          const job: Running = { ...taken, abort, ended: Promise.resolve() }
          jobs.add(job)
          job.ended = run(kind, job)
            .catch(tell)
            .finally(() => {
              jobs.delete(job)
              fill(kind)
            })
        }
      } while (again.has(kind.name))
    })()
      .catch(tell)
      .finally(() => filling.delete(kind.name))
    filling.set(kind.name, filled)
  }

  const take = ({ name }: Kind) =>
    transaction(db, async (tx) => {
      await oneTakerAtATime(tx, name)
      const job = await fetchOne(boss, name, tx)
      if (!job) return
      if (job.data.task !== null) {
        await tx
          .updateTable('task')
          .set((of) => ({ status: 'running', stage: '', started_at: of.fn.coalesce('started_at', of.val(now())) }))
          .where('id', '=', job.data.task)
          .execute()
      }
      return { hold: { name, id: job.id, take: job.retryCount }, payload: job.data }
    })

  async function run({ options, handler }: Kind, { hold, payload, abort }: Running) {
    const progress = taskProgress(db, payload.task)
    let finished = false

    const step = <T>(work: (tx: Transaction<Database>) => Promise<T>) =>
      transaction(db, async (tx) => {
        if (!(await standsIn(tx, hold))) throw LOST
        return work(tx)
      })
    const finish = async <T>(work: (tx: Transaction<Database>) => Promise<T>, result: object = {}) => {
      await progress.close()
      const answer = await step(async (tx) => {
        const answer = await work(tx)
        await endAs(tx, hold, 'completed', result)
        await markTask(tx, payload.task, {
          status: 'done',
          progress: 1,
          stage: '',
          result: JSON.stringify(result),
          finished_at: now(),
        })
        return answer
      })
      finished = true
      return answer
    }

    const wait = async <T>(work: (tx: Transaction<Database>) => Promise<T>, seconds: number, stage: string) => {
      await progress.close()
      const answer = await step(async (tx) => {
        const answer = await work(tx)
        await putBack(tx, hold, seconds, { ...payload, failures: 0, returns: hold.take + 1 })
        await markTask(tx, payload.task, { status: 'waiting', stage })
        return answer
      })
      finished = true
      if (seconds <= ON_TIME_S) setTimeout(() => wake(hold.name), seconds * 1000 + 1).unref()
      return answer
    }

    const vanished = hold.take - payload.failures - payload.returns
    if (vanished > VANISHED_MAX) return toItsEnd((tx) => fail(tx, VANISHED))
    try {
      const job = { id: hold.id, data: payload.data, signal: abort.signal, task: progress, step, finish, wait }
      const result = await handler(job)
      if (!finished) await finish(async () => {}, isResult(result) ? result : {})
    } catch (error) {
      await progress.close()
      if (finished) return tell(error)
      if (error === LOST) return
      const failures = payload.failures + 1
      if (plainReason(error) === undefined && !(stopping && abort.signal.aborted)) {
        console.error(`任务 ${hold.name} ${hold.id} 第 ${failures} 次出错`, error)
      }
      await toItsEnd((tx) => after(tx, error, failures))
    }

    /** An end that cannot be written, since the disk is full say, is tried again: untold, the job would run for ever. */
    async function toItsEnd(work: (tx: Transaction<Database>) => Promise<void>) {
      for (;;) {
        try {
          return await step(work)
        } catch (error) {
          if (error === LOST) return
          if (stopping || abort.signal.aborted) throw error
          tell(error)
          await pause(END_AGAIN_MS)
        }
      }
    }

    /** What becomes of a job whose handler threw. */
    async function after(tx: Transaction<Database>, error: unknown, failures: number) {
      if (stopping && abort.signal.aborted) {
        await putBack(tx, hold, 0, { ...payload, returns: payload.returns + 1 })
        await markTask(tx, payload.task, { status: 'waiting', stage: '' })
        return
      }
      const plain = plainReason(error)
      if (plain === undefined && failures <= retriesOf(options, error)) {
        const delay = (options.retryDelaySeconds ?? 5) * 2 ** (failures - 1)
        await putBack(tx, hold, delay, { ...payload, failures })
        await markTask(tx, payload.task, { status: 'waiting', stage: `出错，${delay} 秒后自动重试` })
        return
      }
      await fail(tx, plain ?? options.reasonOf?.(error) ?? UNEXPECTED)
    }

    async function fail(tx: Transaction<Database>, reason: string) {
      await endAs(tx, hold, 'failed', { reason })
      await markTask(tx, payload.task, { status: 'failed', stage: '', error: reason, finished_at: now() })
      await options.failed?.(tx, { id: hold.id, data: payload.data, task_id: payload.task }, reason)
    }
  }

  async function keepHolds() {
    const jobs = all()
    if (jobs.length === 0) return
    const standing = await renew(
      db,
      jobs.map((job) => job.hold),
    )
    // Those that ended meanwhile are not in `all()` any more, or will be gone at once.
    for (const job of jobs) if (!standing.has(job.hold.id)) job.abort.abort()
  }

  async function look() {
    for (const name of await dueQueues(db, [...kinds.keys()])) wake(name)
  }

  async function tidy() {
    await endOrphans(db, ORPHANED)
    await forgetOld(db, TASK_DAYS)
  }

  function wake(name: string) {
    const kind = kinds.get(name)
    if (kind && !stopping) fill(kind)
  }

  if (soleWorker) {
    // Whoever held these jobs is gone: nobody else uses this store.
    await reclaim(
      db,
      leases.map(({ name }) => ({ name, seconds: 0 })),
    )
  }
  const shortest = Math.min(LEASE_S, ...leases.map((lease) => lease.seconds))
  const keeping = every((shortest * 1000) / 4, keepHolds, tell)
  const others = [
    every(poll, look, tell),
    // Whoever uses a store alone cannot vanish from beside itself.
    ...(soleWorker ? [] : [every(RECLAIM_EVERY_MS, () => reclaim(db, leases), tell)]),
    every(TIDY_EVERY_MS, tidy, tell),
  ]
  const begun = tidy().then(look).catch(tell)

  return {
    wake,
    async stop(graceMs) {
      stopping = true
      await begun
      await Promise.all([...others.map((loop) => loop.stop()), ...filling.values()])
      const ended = Promise.all(all().map((job) => job.ended))
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, graceMs).unref())])
      for (const job of all()) job.abort.abort()
      // A handler that ignores its signal keeps its hold, and is taken up again when the lease runs out.
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000).unref())])
      await keeping.stop()
    },
  }
}

/** pg-boss takes an error of its fetch for an empty queue. */
async function fetchOne(boss: PgBoss, name: string, tx: Transaction<Database>) {
  let failed: { error: unknown } | undefined
  const { executeSql } = fromKysely(tx)
  const listening = {
    executeSql: (text: string, values?: unknown[]) =>
      executeSql(text, values).catch((error: unknown) => {
        failed = { error }
        throw error
      }),
  }
  const jobs = await boss.fetch<Payload>(name, { includeMetadata: true, groupConcurrency: 1, db: listening })
  if (failed) throw failed.error
  return jobs[0]
}

async function markTask(tx: Transaction<Database>, id: number | null, values: UpdateObject<Database, 'task'>) {
  if (id !== null) await tx.updateTable('task').set(values).where('id', '=', id).execute()
}

/** Another worker has the job now: nothing of what this one did is kept, and nobody needs to hear of it. */
const LOST = new Error('The hold on the job is lost')

function retriesOf({ retries = RETRIES }: HandleOptions<object>, error: unknown): number {
  return typeof retries === 'function' ? retries(error) : retries
}

/** What a viewer may read as it stands: only what was said on purpose. */
function plainReason(error: unknown): string | undefined {
  return error instanceof AppError ? error.message : undefined
}

/** Plain objects are results; what Kysely answers to an insert is not. */
const isResult = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Calls `work` again and again with a pause of `ms`, never twice at once. */
function every(ms: number, work: () => Promise<void>, failed: (error: unknown) => void) {
  let stopped = false
  let timer: NodeJS.Timeout
  let last = Promise.resolve()
  const plan = () => {
    timer = setTimeout(() => {
      last = work()
        .catch(failed)
        .then(() => {
          if (!stopped) plan()
        })
    }, ms)
  }
  plan()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await last
    },
  }
}
