import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { type ComputeDeps, computeJob } from './compute-job.ts'
import { computeQueue } from './compute-queue.ts'

const DAILY = 'rule-crowd.daily'

interface Deps extends ComputeDeps {
  timezone: string
}

/** Computes the members of crowds in jobs: when they or what they use change, and daily. */
export function crowdComputing({ timezone, ...deps }: Deps) {
  const { db, jobs, evaluator } = deps
  const queue = computeQueue(jobs)
  computeJob(deps, queue)

  jobs.handle(DAILY, {}, async () => {
    const rows = await db
      .selectFrom('people')
      .select(['id', 'adv_id', 'name'])
      .where('deleted_at', 'is', null)
      .where('invalid_time', '>=', now())
      .orderBy('id')
      .execute()
    for (const row of rows) await transaction(db, (tx) => queue.enqueue(tx, row, null))
    // Dropped versions are only hidden until this compacts the table.
    await evaluator.compact()
  })
  jobs.schedule(DAILY, '30 0 * * *', timezone)

  return { enqueue: queue.enqueue, recomputeUsersOf: queue.recomputeUsersOf }
}
export type CrowdComputing = ReturnType<typeof crowdComputing>
