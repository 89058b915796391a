import type { Transaction } from 'kysely'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import type { Database } from '../../postgres/schema.ts'
import { begin, type ComputeDeps, end, lockCrowdsOf } from './computation.ts'
import { COMPUTE, type ComputeQueue } from './compute-queue.ts'
import { AT_ONCE, betweenVersions } from './recompute-job.ts'

/** Computes one crowd that a person saved or asked for; it does not wait for the recomputations of others. */
export function computeJob({ jobs, evaluator, onVersion, dropLater }: ComputeDeps, queue: ComputeQueue): void {
  jobs.handle<{ people_id: number }>(
    COMPUTE,
    {
      concurrency: AT_ONCE,
      retries: 3,
      retryDelaySeconds: 2,
      failed: (tx, { data, task_id }, why) => fail(tx, queue, { ...data, task_id }, why),
    },
    run,
  )

  async function run(job: RunningJob<{ people_id: number }>): Promise<void> {
    const { people_id } = job.data
    const started = performance.now()
    job.task.progress(0.05, '读取规则')
    const work = await job.step(async (tx) => {
      await lockCrowdsOf(tx, people_id)
      return begin(tx, queue, people_id)
    })
    if (!work) return
    const { adv_id, def, sets, version } = work
    job.task.progress(0.2, '计算人群')
    const magnitude = await evaluator.storeRule(
      adv_id,
      def,
      sets,
      { crowd_id: people_id, version },
      { signal: job.signal },
    )
    job.task.progress(0.95, '保存结果')
    const took_ms = Math.round(performance.now() - started)
    const replaced = await job.finish(
      async (tx) => {
        await lockCrowds(tx, adv_id)
        return end(tx, { onVersion, dropLater }, work, { magnitude, took_ms })
      },
      { magnitude },
    )
    await evaluator.dropVersions(adv_id, betweenVersions(work, replaced))
  }
}

/** Stores why a computation failed, unless a newer one was sent, and tells the crowds that wait for this one. */
async function fail(
  tx: Transaction<Database>,
  queue: ComputeQueue,
  { people_id, task_id }: { people_id: number; task_id: number | null },
  fail_reason: AnyOutcome,
): Promise<void> {
  await lockCrowdsOf(tx, people_id)
  const failed = await tx
    .updateTable('people')
    .set({ fail_reason })
    .where('id', '=', people_id)
    .where((eb) => eb.or([eb('task_id', '=', task_id), eb('task_id', 'is', null)]))
    .returning('id')
    .executeTakeFirst()
  if (failed) await queue.recomputeWaiting(tx, failed.id)
}
