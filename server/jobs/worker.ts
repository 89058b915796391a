import type { Kysely, Transaction } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import { outcome } from '#contract/outcome.ts'
import { logUnlessAway } from '../postgres/away.ts'
import type { Database } from '../postgres/schema.ts'
import { transaction } from '../postgres/transaction.ts'
import { now } from '../time/clock.ts'
import type { Kind, Payload } from './kind.ts'
import {
  boundWaits,
  deleteOldTasks,
  dueQueues,
  endOrphans,
  oneTakerAtATime,
  reclaim,
  reclaimAll,
  recordHolder,
  renew,
} from './lease.ts'
import { runJob, type TakenJob } from './run-job.ts'
import { NO_STAGE } from './task.ts'

export interface Worker {
  wake(name: string): void
  /** Stops the job's run in this process; its hold is no longer valid. */
  abort(job_id: string): void
  stop(graceMs: number): Promise<void>
}

interface WorkerOptions {
  /** Pause between two checks for due jobs, ms. */
  poll: number
  /** No other process uses the store. */
  soleWorker: boolean
  /** This start of the process. */
  instance: string
  /** Sends the jobs whose scheduled time has come; returns their kinds. */
  sendScheduled(): Promise<string[]>
}

interface Running extends TakenJob {
  ended: Promise<void>
}

const LEASE_S = 15
/** Leases and waits are checked once per this many checks for jobs; the next number is that of schedules. */
const CHECK_POLLS = 3
const SCHEDULE_POLLS = 10
const TIDY_EVERY_MS = 3_600_000
/** How long an ended task is kept. */
const TASK_DAYS = 30

export async function startWorker(
  db: Kysely<Database>,
  boss: PgBoss,
  kinds: Map<string, Kind>,
  { poll, soleWorker, instance, sendScheduled }: WorkerOptions,
): Promise<Worker> {
  const running = new Map<string, Set<Running>>([...kinds.keys()].map((name) => [name, new Set()]))
  const filling = new Map<string, Promise<void>>()
  const again = new Set<string>()
  const leases = [...kinds.values()].map(({ name, options }) => ({ name, seconds: options.leaseSeconds ?? LEASE_S }))
  let stopping = false

  const all = () => [...running.values()].flatMap((jobs) => [...jobs])
  const logError = (error: unknown) => logUnlessAway('任务队列出错', error)

  /** Takes up as many due jobs of a kind as may run in this process. */
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
          job.ended = runJob({ db, isStopping: () => stopping, wake, logError }, kind, job)
            .catch(logError)
            .finally(() => {
              jobs.delete(job)
              fill(kind)
            })
        }
      } while (again.has(kind.name))
    })()
      .catch(logError)
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
          .set((of) => ({
            status: 'running',
            ...NO_STAGE,
            started_at: of.fn.coalesce('started_at', of.val(now())),
          }))
          .where('id', '=', job.data.task)
          .execute()
      }
      const hold = { name, id: job.id, take: job.retryCount }
      await recordHolder(tx, hold, instance)
      return { hold, payload: job.data }
    })

  async function keepHolds() {
    const jobs = all()
    if (jobs.length === 0) return
    const renewed = await renew(
      db,
      jobs.map((job) => job.hold),
    )
    // Jobs that ended meanwhile have left `all()` or are about to.
    for (const job of jobs) if (!renewed.has(job.hold.id)) job.abort.abort()
  }

  /** After an outage of the database, leases of living holders may have expired, so ours are renewed first. */
  async function reclaimOthers() {
    await keepHolds()
    await reclaim(db, leases)
  }

  async function checkQueues() {
    for (const name of await dueQueues(db, [...kinds.keys()])) wake(name)
  }

  async function tidy() {
    await endOrphans(db, outcome('task_interrupted'))
    await deleteOldTasks(db, TASK_DAYS)
  }

  async function checkSchedules() {
    for (const name of await sendScheduled()) wake(name)
  }

  function wake(name: string) {
    const kind = kinds.get(name)
    if (kind && !stopping) fill(kind)
  }

  /** Corrects leases and waits that were written before the clock was set back. */
  async function checkTimes() {
    // A store with a single process has no other worker that could vanish.
    if (!soleWorker) await reclaimOthers()
    await boundWaits(db, [...kinds.keys()])
  }

  // The holders of these jobs are gone, since nobody else uses this store.
  if (soleWorker) await reclaimAll(db, [...kinds.keys()])
  await checkTimes()
  const shortest = Math.min(LEASE_S, ...leases.map((lease) => lease.seconds))
  const renewing = every((shortest * 1000) / 4, keepHolds, logError)
  const others = [
    every(poll, checkQueues, logError),
    every(poll * CHECK_POLLS, checkTimes, logError),
    every(poll * SCHEDULE_POLLS, checkSchedules, logError),
    every(TIDY_EVERY_MS, tidy, logError),
  ]
  const begun = tidy().then(checkQueues).catch(logError)

  return {
    wake,
    abort(job_id) {
      for (const job of all()) if (job.hold.id === job_id) job.abort.abort()
    },
    async stop(graceMs) {
      stopping = true
      await begun
      await Promise.all([...others.map((loop) => loop.stop()), ...filling.values()])
      const ended = Promise.all(all().map((job) => job.ended))
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, graceMs).unref())])
      for (const job of all()) job.abort.abort()
      // A handler that ignores its signal keeps its hold; its job is taken up again when the lease runs out.
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000).unref())])
      await renewing.stop()
    },
  }
}

/** pg-boss reports a failed fetch as an empty queue. */
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
