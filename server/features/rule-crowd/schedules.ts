import type { Kysely, Transaction } from 'kysely'
import type { CrowdSchedule } from '#contract/crowd-schedule.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import type { ComputeQueue } from './compute-queue.ts'
import { scheduleAt } from './next-run.ts'

const SCHEDULED = 'rule-crowd.scheduled'

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  timezone: string
}

/** Recomputes crowds at times of their own, with the crowds whose data changed: behind what a person waits for. */
export function crowdSchedules({ db, jobs, timezone }: Deps, queue: ComputeQueue) {
  /**
   * Sends the crowds whose time came, and gives each its next time in the same transaction, so that two runs send a crowd
   * once. Times that passed while no worker ran count once.
   */
  async function sendDue(): Promise<void> {
    const at = now()
    const changed = (await scheduledCrowds(db).execute()).filter(
      (crowd) => scheduleAt(crowd, at, timezone).next_at !== crowd.next_at,
    )
    for (const [adv_id, crowds] of Map.groupBy(changed, (crowd) => crowd.adv_id)) {
      const ids = crowds.map((crowd) => crowd.id)
      await transaction(db, (tx) => sendOf(tx, adv_id, ids))
    }
  }

  async function sendOf(tx: Transaction<Database>, adv_id: number, ids: readonly number[]): Promise<void> {
    await lockCrowds(tx, adv_id)
    const at = now()
    const due: number[] = []
    for (const crowd of await scheduledCrowds(tx)
      .where('id', 'in', [...ids])
      .execute()) {
      const { isDue, next_at } = scheduleAt(crowd, at, timezone)
      await tx.updateTable('people').set({ next_at }).where('id', '=', crowd.id).execute()
      if (isDue && crowd.deleted_at === null && crowd.invalid_time >= at) due.push(crowd.id)
    }
    await queue.recompute(
      tx,
      due.map((id) => ({ id, adv_id, due_at: at })),
    )
  }

  jobs.handle(SCHEDULED, { concurrency: 1 }, sendDue)
  jobs.schedule(SCHEDULED, '*/5 * * * *', 'UTC')
  return { sendDue }
}

const scheduledCrowds = (db: Kysely<Database>) =>
  db
    .selectFrom('people')
    .select(['id', 'adv_id', 'schedule', 'next_at', 'invalid_time', 'deleted_at'])
    .where('schedule', 'is not', null)
    .$narrowType<{ schedule: CrowdSchedule }>()
