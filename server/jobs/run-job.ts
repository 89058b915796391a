import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely, Transaction, UpdateObject } from 'kysely'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { isEngineError, isWarehouseAway } from '../clickhouse/engine-error.ts'
import { AppError, OutcomeError } from '../errors.ts'
import { isDatabaseAway } from '../postgres/away.ts'
import type { Database } from '../postgres/schema.ts'
import { transaction } from '../postgres/transaction.ts'
import { isDiskFull } from '../storage/disk-full.ts'
import { now } from '../time/clock.ts'
import type { HandleOptions, Kind, Payload } from './kind.ts'
import { endJob, type Hold, lockIfValid, putBack } from './lease.ts'
import { NO_STAGE, stageOf, taskProgress } from './task.ts'

export interface TakenJob {
  hold: Hold
  payload: Payload
  abort: AbortController
}

interface RunnerDeps {
  db: Kysely<Database>
  isStopping(): boolean
  /** Asks the worker to check for due jobs of a kind. */
  wake(name: string): void
  /** Logs an error that is not the job's own. */
  logError(error: unknown): void
}

const RETRIES = 3
const END_AGAIN_MS = 3000
const AWAY_AGAIN_MS = 500
/** Seconds until a job that found the warehouse unreachable is taken up again. */
const WAREHOUSE_AGAIN_S = 5
/** Shorter waits end exactly on time; longer ones end at the next check of the queue. */
const ON_TIME_S = 60
/** A job during which the process died this often is not tried again. */
const LOST_RUNS_MAX = 20

/** Runs a job until it has ended, waits in its queue again, or has passed to another worker. */
export async function runJob(
  { db, isStopping, wake, logError }: RunnerDeps,
  { options, handler }: Kind,
  { hold, payload, abort }: TakenJob,
): Promise<void> {
  const progress = taskProgress(db, payload.task)
  let finished = false

  const step = <T>(work: (tx: Transaction<Database>) => Promise<T>) =>
    transaction(db, async (tx) => {
      if (!(await lockIfValid(tx, hold))) throw LOST
      return work(tx)
    })
  const finish = async <T>(work: (tx: Transaction<Database>) => Promise<T>, result: object = {}) => {
    await progress.close()
    const answer = await step(async (tx) => {
      const answer = await work(tx)
      await endJob(tx, hold, 'completed', result)
      await markTask(tx, payload.task, {
        status: 'done',
        progress: 1,
        ...NO_STAGE,
        result: JSON.stringify(result),
        finished_at: now(),
      })
      return answer
    })
    finished = true
    return answer
  }

  const wait = async <T>(
    work: (tx: Transaction<Database>) => Promise<T>,
    pause: number | ((found: T) => number),
    why: AnyOutcome | null,
  ) => {
    await progress.close()
    let seconds = 0
    const answer = await step(async (tx) => {
      const answer = await work(tx)
      seconds = typeof pause === 'number' ? pause : pause(answer)
      await putBack(tx, hold, seconds, { ...payload, failures: 0, returns: hold.take + 1 })
      await markTask(tx, payload.task, { status: 'waiting', ...stageOf(why) })
      return answer
    })
    finished = true
    if (seconds <= ON_TIME_S) setTimeout(() => wake(hold.name), seconds * 1000 + 1).unref()
    return answer
  }

  const lostRuns = hold.take - payload.failures - payload.returns
  if (lostRuns > LOST_RUNS_MAX) return writeUntilDone((tx) => fail(tx, outcome('task_process_gone')))
  try {
    const job = { id: hold.id, data: payload.data, signal: abort.signal, task: progress, step, finish, wait }
    const result = await handler(job)
    if (!finished) await finish(async () => {}, isResult(result) ? result : {})
  } catch (error) {
    await progress.close()
    if (finished) return logError(error)
    if (error === LOST) return
    // The hold is lost, so the job is another worker's, or was cancelled.
    if (abort.signal.aborted && !isStopping()) return
    // The job did not fail. If the answer to the COMMIT of its end was lost, the hold shows whether it has ended.
    if (isDatabaseAway(error)) return writeUntilDone((tx) => requeue(tx))
    if (isWarehouseAway(error))
      return writeUntilDone((tx) => requeue(tx, WAREHOUSE_AGAIN_S, outcome('task_waits_for_warehouse')))
    const failures = payload.failures + 1
    const isCancelled = isEngineError(error, 'cancelled') && failures <= retriesOf(options, error)
    if (carriedOutcome(error) === undefined && !isCancelled && !(isStopping() && abort.signal.aborted)) {
      console.error(`任务 ${hold.name} ${hold.id} 第 ${failures} 次出错`, error)
    }
    await writeUntilDone((tx) => after(tx, error, failures))
  }

  /** Repeats until the end is written (the disk may be full); otherwise the job would count as running for ever. */
  async function writeUntilDone(work: (tx: Transaction<Database>) => Promise<void>) {
    for (;;) {
      try {
        return await step(work)
      } catch (error) {
        if (error === LOST) return
        if (isStopping() || abort.signal.aborted) throw error
        logError(error)
        await pause(isDatabaseAway(error) ? AWAY_AGAIN_MS : END_AGAIN_MS)
      }
    }
  }

  /** Retries a job whose handler threw, or ends it as failed. */
  async function after(tx: Transaction<Database>, error: unknown, failures: number) {
    if (isStopping() && abort.signal.aborted) return requeue(tx)
    const known = carriedOutcome(error)
    if (known === undefined && failures <= retriesOf(options, error)) {
      const delay = (options.retryDelaySeconds ?? 5) * 2 ** (failures - 1)
      await putBack(tx, hold, delay, { ...payload, failures })
      const why = outcome('task_retries_after', {
        seconds: delay,
        at: Math.ceil(now() + delay),
        ...(isDiskFull(error) ? { is_disk_full: true } : {}),
      })
      await markTask(tx, payload.task, { status: 'waiting', ...stageOf(why) })
      return
    }
    await fail(
      tx,
      known ?? options.outcomeOf?.(error) ?? outcome(isDiskFull(error) ? 'task_disk_full' : 'task_unexpected'),
    )
  }

  /** Puts the job back into the queue, without counting a failure. */
  async function requeue(tx: Transaction<Database>, seconds = 0, why: AnyOutcome | null = null) {
    await putBack(tx, hold, seconds, { ...payload, returns: payload.returns + 1 })
    await markTask(tx, payload.task, { status: 'waiting', ...stageOf(why) })
  }

  async function fail(tx: Transaction<Database>, why: AnyOutcome) {
    await endJob(tx, hold, 'failed', { reason: sentenceOf(why) })
    await markTask(tx, payload.task, { status: 'failed', ...NO_STAGE, error: why, finished_at: now() })
    await options.failed?.(tx, { id: hold.id, data: payload.data, task_id: payload.task }, why)
  }
}

async function markTask(tx: Transaction<Database>, id: number | null, values: UpdateObject<Database, 'task'>) {
  if (id !== null) await tx.updateTable('task').set(values).where('id', '=', id).execute()
}

/** The job has passed to another worker: this one's results are discarded, and nobody is notified. */
const LOST = new Error('The hold on the job is lost')

function retriesOf({ retries = RETRIES }: HandleOptions<object>, error: unknown): number {
  return typeof retries === 'function' ? retries(error) : retries
}

/** The outcome that an error carries. */
function carriedOutcome(error: unknown): AnyOutcome | undefined {
  return error instanceof AppError || error instanceof OutcomeError ? error.outcome : undefined
}

/** Plain objects are results; what Kysely returns from an insert is not. */
const isResult = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
