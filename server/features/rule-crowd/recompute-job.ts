import { availableParallelism } from 'node:os'
import type { Transaction } from 'kysely'
import { isEngineError, isWarehouseAway } from '../../clickhouse/engine-error.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { begin, type Computation, type ComputeDeps, end } from './computation.ts'
import { type ComputeQueue, isAskedFor, RECOMPUTE } from './compute-queue.ts'
import { dueCount, nextDue } from './due-crowds.ts'

/** Computations of a kind that run side by side. */
export const AT_ONCE = availableParallelism()
/** Crowds whose results come into force together. */
const BATCH = 32
/** Seconds until crowds that a person's computation holds are looked at again. */
const LOOK_AGAIN = 1

type Job = RunningJob<{ adv_id: number }>

/**
 * Recomputes the crowds of an advertiser whose data changed, in batches that read each tag once: first those without a
 * result, then those that are pushed or were opened lately. A batch that the engine refuses is handed to the
 * computations of single crowds, so that one crowd never holds up the others.
 */
export function recomputeJob({ jobs, evaluator, onVersion, dropLater }: ComputeDeps, queue: ComputeQueue): void {
  jobs.handle<{ adv_id: number }>(RECOMPUTE, { concurrency: AT_ONCE }, run)

  async function run(job: Job): Promise<object | undefined> {
    const { adv_id } = job.data
    let waiting = await job.step((tx) => takeOver(tx, adv_id, job.task.id))
    let done = 0
    for (;;) {
      const begun = await job.step((tx) => beginBatch(tx, adv_id, job.task))
      if (begun.chosen === 0) break
      waiting = Math.max(waiting, done + begun.chosen)
      await computeBatch(job, begun.work)
      done += begun.chosen
      job.task.progress(done / waiting, `${done} / ${waiting}`)
    }
    const { left } = await job.step((tx) => dueCount(tx, adv_id))
    if (left > 0) {
      await job.wait(async () => {}, LOOK_AGAIN, null)
      return
    }
    if (done === 0) await job.finish((tx) => hide(tx, job.task.id))
    return { crowds: done }
  }

  async function beginBatch(
    tx: Transaction<Database>,
    adv_id: number,
    task: Job['task'],
  ): Promise<{ chosen: number; work: Computation[] }> {
    await lockCrowds(tx, adv_id)
    const chosen = await nextDue(tx, adv_id, BATCH)
    const work: Computation[] = []
    for (const id of chosen) {
      const begun = await begin(tx, queue, id)
      if (begun) work.push(begun)
    }
    if (work.length > 0) {
      await tx.updateTable('people').set({ is_dirty: true, task_id: task.id }).where('id', 'in', idsOf(work)).execute()
    }
    return { chosen: chosen.length, work }
  }

  async function computeBatch(job: Job, work: readonly Computation[]): Promise<void> {
    if (work.length === 0) return
    const { adv_id } = job.data
    const started = performance.now()
    const results = await store(job, work)
    const took_ms = Math.round((performance.now() - started) / work.length)
    const dead = await job.step(async (tx) => {
      await lockCrowds(tx, adv_id)
      const left: { kind: 'crowd'; id: number; version: number }[] = []
      for (const [at, one] of work.entries()) {
        const magnitude = results[at]
        if (typeof magnitude !== 'number') await handOver(tx, one.people_id)
        else left.push(...betweenVersions(one, await end(tx, { onVersion, dropLater }, one, { magnitude, took_ms })))
      }
      await tx
        .updateTable('people')
        .set({ is_dirty: false, task_id: null })
        .where('id', 'in', idsOf(work))
        .where('task_id', '=', job.task.id)
        .where('due_at', 'is', null)
        .execute()
      return left
    })
    await evaluator.dropVersions(adv_id, dead)
  }

  /** The people of each crowd, or an error. */
  async function store(job: Job, work: readonly Computation[]): Promise<(number | Error)[]> {
    const wanted = work.map(({ people_id, version, def, sets }) => ({
      rule: def,
      sets,
      into: { crowd_id: people_id, version },
    }))
    try {
      return await evaluator.storeRules(job.data.adv_id, wanted, { signal: job.signal })
    } catch (error) {
      if (job.signal.aborted || isWarehouseAway(error) || isEngineError(error, 'cancelled')) throw error
      console.error(`重新计算 ${work.length} 个人群出错，改为逐个计算`, error)
      return work.map(() => (error instanceof Error ? error : new Error(String(error))))
    }
  }

  /** A crowd that cannot be computed with others is computed alone, which retries and says why it fails. */
  async function handOver(tx: Transaction<Database>, people_id: number): Promise<void> {
    const crowd = await tx
      .selectFrom('people')
      .select(['id', 'adv_id', 'name'])
      .where('id', '=', people_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (crowd) await queue.enqueue(tx, crowd, null)
  }
}

const idsOf = (work: readonly Computation[]) => work.map((one) => one.people_id)

/** Versions that were written by computations which were killed or overtaken, and never came into force. */
export const betweenVersions = ({ people_id, version }: Computation, replaced: number) =>
  Array.from({ length: Math.min(100, Math.max(0, version - replaced - 1)) }, (_, at) => ({
    kind: 'crowd' as const,
    id: people_id,
    version: version - 1 - at,
  }))

/** Takes up what a killed run had begun; answers how many crowds are due, and names the task by it. */
async function takeOver(tx: Transaction<Database>, adv_id: number, task_id: number | null): Promise<number> {
  await lockCrowds(tx, adv_id)
  // Only one run of an advertiser is there at a time.
  await tx
    .updateTable('people')
    .set({ due_at: now() })
    .where('adv_id', '=', adv_id)
    .where('is_dirty', '=', true)
    .where('due_at', 'is', null)
    .where((eb) => eb.not(isAskedFor(eb)))
    .execute()
  const { left } = await dueCount(tx, adv_id)
  await tx
    .updateTable('task')
    .set({ title: `重新计算 ${left} 个人群` })
    .where('id', '=', task_id)
    .execute()
  return left
}

/** Removes the task of a run that found nothing to do: an earlier one had done it. */
async function hide(tx: Transaction<Database>, task_id: number | null): Promise<void> {
  await tx.updateTable('people').set({ task_id: null }).where('task_id', '=', task_id).execute()
  await tx.deleteFrom('task').where('id', '=', task_id).execute()
}
