import type { Transaction } from 'kysely'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { Database } from '../postgres/schema.ts'
import type { TaskProgress } from './task.ts'

export interface HandleOptions<D extends object> {
  /** How many jobs of the kind run in parallel in this process. */
  concurrency?: number
  /** A job is taken up again this long after its worker vanishes. */
  leaseSeconds?: number
  /**
   * How often a job that throws is retried, for any error or for this one, and the first pause; each further pause is
   * twice as long.
   */
  retries?: number | ((error: unknown) => number)
  retryDelaySeconds?: number
  /** The outcome of an error that carries none, after the last retry. */
  outcomeOf?(error: unknown): AnyOutcome
  /** Runs in the transaction in which the job fails. */
  failed?(
    tx: Transaction<Database>,
    job: { id: string; data: D; task_id: number | null },
    why: AnyOutcome,
  ): Promise<void>
  /**
   * Runs in the transaction in which a viewer sends a failed job again. The job then runs with the data that it returns,
   * if any.
   */
  retried?(tx: Transaction<Database>, job: { id: string; data: D; task_id: number }): Promise<D | undefined>
}

export interface RunningJob<D extends object> {
  id: string
  data: D
  /** Aborted when the hold on the job is lost, or when the server stops and waits no longer. */
  signal: AbortSignal
  task: TaskProgress
  /** A transaction that commits only while this worker still holds the job. */
  step<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T>
  /**
   * The same, as the job's last transaction: it also ends the job with the task's result. Without it the job ends when
   * the handler returns.
   */
  finish<T>(work: (tx: Transaction<Database>) => Promise<T>, result?: object): Promise<T>
  /**
   * The same, and puts the job back into the queue for so many seconds, as the same task, because it waits for something.
   * Meanwhile it occupies no worker and no group, and its task shows `why`. `work` may decide for how long. The handler must return after it.
   */
  wait<T>(
    work: (tx: Transaction<Database>) => Promise<T>,
    seconds: number | ((found: T) => number),
    why: AnyOutcome | null,
  ): Promise<T>
}

/** May run again after a crash, so a second run must do no harm. A returned plain object becomes the task's result. */
export type Handler<D extends object> = (job: RunningJob<D>) => Promise<unknown>

export interface Kind {
  name: string
  options: HandleOptions<object>
  /**
   * Declared as a method so that handlers of narrower data are assignable; each queue is sent only its handler's data.
   */
  handler(job: RunningJob<object>): Promise<unknown>
}

/** The data that pg-boss stores for us. */
export interface Payload {
  data: object
  task: number | null
  failures: number
  /** How often the job was put back because the server stopped. */
  returns: number
  /** Seconds to wait, as given when the job was last sent or put back; absent in jobs of older versions. */
  wait?: number
  /** The instance (one start of a process) that took the job up last. */
  instance?: string
}
