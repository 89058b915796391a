import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import type { ComputeDeps } from './computation.ts'
import { computeJob } from './compute-job.ts'
import { computeQueue } from './compute-queue.ts'
import { recomputeJob } from './recompute-job.ts'
import { crowdSchedules } from './schedules.ts'

const DAILY = 'rule-crowd.daily'

interface Deps extends ComputeDeps {
  timezone: string
}

/** Computes the members of crowds in jobs: when they or what they use change, daily, or at times of their own. */
export function crowdComputing({ timezone, ...deps }: Deps) {
  const { db, jobs, evaluator } = deps
  const queue = computeQueue(jobs)
  computeJob(deps, queue)
  recomputeJob(deps, queue)
  const { sendDue: sendScheduled } = crowdSchedules({ db, jobs, timezone }, queue)

  jobs.handle(DAILY, {}, async () => {
    const advertisers = await db
      .selectFrom('people')
      .select('adv_id')
      .distinct()
      .where('deleted_at', 'is', null)
      .execute()
    for (const { adv_id } of advertisers) {
      await transaction(db, async (tx) => {
        await lockCrowds(tx, adv_id)
        const crowds = await tx
          .selectFrom('people')
          .select(['id', 'adv_id'])
          .where('adv_id', '=', adv_id)
          .where('deleted_at', 'is', null)
          .where('schedule', 'is', null)
          .where('invalid_time', '>=', now())
          .execute()
        await queue.recompute(
          tx,
          crowds.map((crowd) => ({ ...crowd, due_at: now() })),
        )
      })
    }
    // Dropped versions are only hidden until this compacts the table.
    await evaluator.compact()
  })
  jobs.schedule(DAILY, '30 0 * * *', timezone)

  const { enqueue, recompute, recomputeUsersOf, recomputeNow } = queue
  return { enqueue, recompute, recomputeUsersOf, recomputeNow, sendScheduled }
}
export type CrowdComputing = ReturnType<typeof crowdComputing>
