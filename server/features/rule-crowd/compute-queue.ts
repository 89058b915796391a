import { type ExpressionBuilder, sql, type Transaction } from 'kysely'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { now, secondsLeft } from '../../time/clock.ts'

/** Computes one crowd, because a person saved it or asked for it. */
export const COMPUTE = 'rule-crowd.compute'
/** Recomputes the crowds of an advertiser whose data changed. */
export const RECOMPUTE = 'rule-crowd.recompute'
/** Sends the recomputation of crowds whose 15 minutes are over. It has no task: viewers see the recomputation. */
const DUE = 'rule-crowd.due'
/** Seconds. A crowd whose data changed recomputes at most this often. */
export const RECOMPUTE_EVERY = 15 * 60
/** Seconds. Crowds that become due within the same minute are recomputed together. */
const DUE_TOGETHER = 60

const LIST = '/cowd-manage/cowd-assets'

/** A crowd whose data changed, and the earliest second at which it is recomputed. */
export interface Change {
  id: number
  adv_id: number
  due_at: number
}

/** Sends the computations of rule crowds. A caller that changes several crowds holds the lock of their advertiser. */
export function computeQueue(jobs: Jobs) {
  /** Earlier versions sent this job for one crowd at a time. */
  jobs.handle<{ adv_id: number } | { people_id: number }>(DUE, { concurrency: 1 }, (job) =>
    job.finish(async (tx) => {
      if ('adv_id' in job.data) return sendRecompute(tx, job.data.adv_id)
      const crowd = await tx
        .selectFrom('people')
        .select(['id', 'adv_id'])
        .where('id', '=', job.data.people_id)
        .where('is_dirty', '=', true)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (crowd) await recompute(tx, [{ ...crowd, due_at: now() }])
    }),
  )

  /** Sends a computation that a person waits for; the task tray shows it. */
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
          link: `${LIST}/watch/${crowd.id}`,
        },
      },
    )
    await tx.updateTable('people').set({ task_id }).where('id', '=', crowd.id).execute()
  }

  async function sendRecompute(tx: Transaction<Database>, adv_id: number): Promise<number | null> {
    const { task_id } = await jobs.send(
      tx,
      RECOMPUTE,
      { adv_id },
      { singletonKey: `adv:${adv_id}`, task: { title: '重新计算人群', adv_id, viewer_id: null, link: LIST } },
    )
    return task_id
  }

  /** Marks crowds as changed, and has each recomputed when it is due. */
  async function recompute(tx: Transaction<Database>, changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return
    await sql`
      update people set is_dirty = true, due_at = least(people.due_at, change.due_at)
      from unnest(${changes.map((one) => one.id)}::int[], ${changes.map((one) => one.due_at)}::bigint[]) as change (id, due_at)
      where people.id = change.id`.execute(tx)
    const at = now()
    for (const [adv_id, mine] of Map.groupBy(changes, (change) => change.adv_id)) {
      const dueNow = mine.filter((change) => change.due_at <= at).map((change) => change.id)
      if (dueNow.length > 0) await showWith(tx, dueNow, await sendRecompute(tx, adv_id))
      const minutes = new Set(
        mine.filter(({ due_at }) => due_at > at).map(({ due_at }) => Math.ceil(due_at / DUE_TOGETHER)),
      )
      for (const minute of minutes) {
        const startAfter = Math.max(1, minute * DUE_TOGETHER - at)
        await jobs.send(tx, DUE, { adv_id }, { singletonKey: `adv:${adv_id}:${minute}`, startAfter })
      }
    }
  }

  /** Recomputes the crowds without a result that wait for this one: it failed, so they fail too. */
  async function recomputeWaiting(tx: Transaction<Database>, people_id: number) {
    const users = await usersOf(tx, 'crowd', [people_id])
    await recompute(
      tx,
      users.filter((user) => user.version === 0).map(({ id, adv_id }) => ({ id, adv_id, due_at: now() })),
    )
  }

  /**
   * Recomputes the crowds that use changed tags or crowds; one with a result at most every 15 minutes, or at once if the
   * change may come from an undone import. One with a schedule of its own waits for its time instead.
   */
  async function recomputeUsersOf(tx: Transaction<Database>, kind: 'tag' | 'crowd', ids: readonly number[]) {
    if (ids.length === 0) return
    const at = now()
    const users = await usersOf(tx, kind, ids)
    if (users.length === 0) return
    const hurried = kind === 'crowd' ? await lateUndone(tx, users, at - RECOMPUTE_EVERY) : new Set()
    const isFresh = ({ adv_id, version, fail_reason }: (typeof users)[number]) =>
      version > 0 && fail_reason === null && !hurried.has(adv_id)
    const waiting = users.filter((user) => user.is_scheduled && isFresh(user)).map(({ id }) => id)
    if (waiting.length > 0) {
      await tx.updateTable('people').set({ is_behind: true }).where('id', 'in', waiting).execute()
    }
    const changes = users
      .filter(({ id }) => !waiting.includes(id))
      .map((user) => ({
        ...{ id: user.id, adv_id: user.adv_id },
        due_at: at + (isFresh(user) ? secondsLeft(user.computed_at ?? 0, RECOMPUTE_EVERY) : 0),
      }))
    await recompute(tx, changes)
  }

  /** Recomputes an advertiser's crowds that wait for their 15 minutes, or for a time of their own. */
  async function recomputeNow(tx: Transaction<Database>, adv_id: number) {
    await lockCrowds(tx, adv_id)
    const waiting = await tx
      .selectFrom('people')
      .select(['id', 'adv_id'])
      .where('adv_id', '=', adv_id)
      .where((eb) => eb.or([eb('is_dirty', '=', true), eb('is_behind', '=', true)]))
      .where('deleted_at', 'is', null)
      .where('invalid_time', '>=', now())
      .execute()
    await recompute(
      tx,
      waiting.map((crowd) => ({ ...crowd, due_at: now() })),
    )
  }

  return { enqueue, recompute, recomputeWaiting, recomputeUsersOf, recomputeNow }
}
export type ComputeQueue = ReturnType<typeof computeQueue>

/** Shows the progress of this task beside the crowds, except those that a person waits for: these have their own. */
const showWith = (tx: Transaction<Database>, ids: readonly number[], task_id: number | null) =>
  tx
    .updateTable('people')
    .set({ task_id })
    .where('id', 'in', [...ids])
    .where((eb) => eb.not(isAskedFor(eb)))
    .execute()

/** Whether a computation that a person waits for is about to begin or running. */
export const isAskedFor = (eb: ExpressionBuilder<Database, 'people'>) =>
  eb.exists(
    eb
      .selectFrom('task')
      .select('task.id')
      .whereRef('task.id', '=', 'people.task_id')
      .where('task.kind', '=', COMPUTE)
      .where('task.status', 'in', ['waiting', 'running']),
  )

/** The advertisers of crowds with an import that is being undone, or was since then. */
async function lateUndone(
  tx: Transaction<Database>,
  crowds: readonly { adv_id: number }[],
  since: number,
): Promise<Set<number>> {
  const adv_ids = [...new Set(crowds.map(({ adv_id }) => adv_id))]
  const rows = await tx
    .selectFrom('import')
    .select('adv_id')
    .distinct()
    .where('adv_id', 'in', adv_ids)
    .where('undo', 'is not', null)
    .where(sql<boolean>`(status = 'undoing' or (undo->>'finished_at')::bigint >= ${since})`)
    .execute()
  return new Set(rows.map(({ adv_id }) => adv_id))
}

/** The live crowds whose rules use one of these tags or crowds. */
const usersOf = (tx: Transaction<Database>, kind: 'tag' | 'crowd', ids: readonly number[]) =>
  tx
    .selectFrom('people')
    .innerJoin('crowd_use', 'crowd_use.people_id', 'people.id')
    .select(['people.id', 'people.adv_id', 'people.computed_at', 'people.version', 'people.fail_reason'])
    .select((eb) => eb('people.schedule', 'is not', null).as('is_scheduled'))
    .distinct()
    .where('crowd_use.uses_kind', '=', kind)
    .where('crowd_use.uses_id', 'in', [...ids])
    .where('people.deleted_at', 'is', null)
    .where('people.invalid_time', '>=', now())
    .orderBy('people.id')
    .execute()
