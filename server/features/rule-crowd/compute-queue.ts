import type { Transaction } from 'kysely'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { now, secondsLeft } from '../../time/clock.ts'

export const COMPUTE = 'rule-crowd.compute'
/** Starts a computation that waited for its 15 minutes. It has no task of its own: viewers see the computation. */
const DUE = 'rule-crowd.due'
/** Seconds. A crowd whose data changed recomputes at most this often. */
const RECOMPUTE_EVERY = 15 * 60

/** Sends the computations of rule crowds: of one, of those that wait for it, and of those that use it. */
export function computeQueue(jobs: Jobs) {
  jobs.handle<{ people_id: number }>(DUE, { concurrency: 1 }, (job) =>
    job.finish(async (tx) => {
      const crowd = await tx
        .selectFrom('people')
        .select(['id', 'adv_id', 'name'])
        .where('id', '=', job.data.people_id)
        .where('is_dirty', '=', true)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (crowd) await enqueue(tx, crowd, null)
    }),
  )

  /** Sends a computation, which the task tray shows. */
  async function enqueue(
    tx: Transaction<Database>,
    crowd: { id: number; adv_id: number; name: string },
    viewer_id: number | null,
  ): Promise<void> {
    // Every change of a crowd locks its row before it sends a job; the other order could deadlock.
    await tx.updateTable('people').set({ is_dirty: true }).where('id', '=', crowd.id).execute()
    const { task_id } = await jobs.send(
      tx,
      COMPUTE,
      { people_id: crowd.id },
      {
        singletonKey: `people:${crowd.id}`,
        task: {
          title: `计算人群「${crowd.name}」`,
          adv_id: crowd.adv_id,
          viewer_id,
          link: `/cowd-manage/cowd-assets/watch/${crowd.id}`,
        },
      },
    )
    await tx.updateTable('people').set({ task_id }).where('id', '=', crowd.id).execute()
  }

  async function enqueueLater(tx: Transaction<Database>, people_id: number, startAfter: number): Promise<void> {
    await tx.updateTable('people').set({ is_dirty: true }).where('id', '=', people_id).execute()
    await jobs.send(tx, DUE, { people_id }, { singletonKey: `people:${people_id}`, startAfter })
  }

  /** Recomputes the crowds without a result that wait for this one: it failed, so they fail too. */
  async function recomputeWaiting(tx: Transaction<Database>, people_id: number) {
    for (const user of await usersOf(tx, 'crowd', [people_id])) if (user.version === 0) await enqueue(tx, user, null)
  }

  /** Recomputes the crowds that use changed tags or crowds; one with a result at most every 15 minutes. */
  async function recomputeUsersOf(tx: Transaction<Database>, kind: 'tag' | 'crowd', ids: readonly number[]) {
    if (ids.length === 0) return
    for (const user of await usersOf(tx, kind, ids)) {
      const fresh = user.version > 0 && user.fail_reason === null
      const wait = fresh ? secondsLeft(user.computed_at ?? 0, RECOMPUTE_EVERY) : 0
      if (wait > 0) await enqueueLater(tx, user.id, wait)
      else await enqueue(tx, user, null)
    }
  }

  return { enqueue, recomputeWaiting, recomputeUsersOf }
}
export type ComputeQueue = ReturnType<typeof computeQueue>

/** The live crowds whose rules use one of these tags or crowds. */
const usersOf = (tx: Transaction<Database>, kind: 'tag' | 'crowd', ids: readonly number[]) =>
  tx
    .selectFrom('people')
    .innerJoin('crowd_use', 'crowd_use.people_id', 'people.id')
    .select(['people.id', 'people.adv_id', 'people.name', 'people.computed_at', 'people.version', 'people.fail_reason'])
    .distinct()
    .where('crowd_use.uses_kind', '=', kind)
    .where('crowd_use.uses_id', 'in', [...ids])
    .where('people.deleted_at', 'is', null)
    .where('people.invalid_time', '>=', now())
    .orderBy('people.id')
    .execute()
