import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql, type Transaction } from 'kysely'
import type { z } from 'zod'
import { sentenceOrNull } from '#contract/outcome.ts'
import type { listTasks } from '#contract/task.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'

/** How long a task stays in the tray after it ended; a failed one stays until the viewer has seen it. */
const SHOWN_SECONDS = 86_400

/** The task tray. `retry` runs a failed task's job again; false if the task has not failed. */
export function taskService(
  db: Kysely<Database>,
  retry: (tx: Transaction<Database>, task_id: number) => Promise<boolean>,
) {
  /** The tasks of the viewer and of their advertisers. */
  const mine = (viewer: Viewer) =>
    db
      .selectFrom('task')
      .where((eb) =>
        eb.or([
          eb('task.viewer_id', '=', viewer.id),
          ...(viewer.adv_ids.length > 0 ? [eb('task.adv_id', 'in', viewer.adv_ids)] : []),
        ]),
      )

  const shown = (viewer: Viewer) =>
    mine(viewer).where((eb) =>
      eb.or([
        eb('task.status', 'in', ['waiting', 'running']),
        eb('task.finished_at', '>', now() - SHOWN_SECONDS),
        isUnseen(viewer)(eb),
      ]),
    )

  return {
    async list(viewer: Viewer, { page, page_size, ids }: z.output<typeof listTasks.query>) {
      const unseen = isUnseen(viewer)
      const described = (tasks: ReturnType<typeof mine>) =>
        tasks.selectAll('task').select((eb) => [isPaused(eb).as('is_paused'), unseen(eb).as('is_unseen')])
      const rows = await described(shown(viewer))
        .orderBy((eb) => unseen(eb), 'desc')
        .orderBy((eb) => eb('task.status', 'in', ['waiting', 'running']), 'desc')
        .orderBy('task.id', 'desc')
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute()
      const missing = page === 1 ? ids.filter((id) => !rows.some((row) => row.id === id)) : []
      if (missing.length > 0) rows.push(...(await described(mine(viewer)).where('task.id', 'in', missing).execute()))
      const counts = await shown(viewer)
        .select((eb) => {
          const isOpen = eb('task.status', 'in', ['waiting', 'running'])
          const isHeld = eb.and([eb('task.status', '=', 'waiting'), isPaused(eb)])
          return [
            eb.fn.countAll<number>().as('total'),
            countWhere(isOpen).as('open'),
            countWhere(isHeld).as('paused'),
            countWhere(unseen(eb)).as('failed'),
          ]
        })
        .executeTakeFirstOrThrow()
      const { total, open, paused, failed } = counts
      return {
        list: rows.map(({ job, job_id, result, viewer_id, is_paused, is_unseen, ...task }) => ({
          ...task,
          error: sentenceOrNull(task.error),
          error_outcome: task.error,
          status: task.status === 'waiting' && is_paused ? ('paused' as const) : task.status,
          retryable: task.status === 'failed' && job !== null,
          seen: !is_unseen,
        })),
        total,
        running: open - paused,
        failed,
        paused,
      }
    },

    /**
     * Marks failed tasks as seen by the viewer; they leave the tray a day after they ended. Tasks that are gone are left
     * out; none that the viewer knows is refused.
     */
    async see(viewer: Viewer, ids: readonly number[]): Promise<void> {
      const known = await mine(viewer)
        .select('task.id')
        .where('task.id', 'in', [...ids])
        .executeTakeFirst()
      if (!known) throw new AppError('notFound', { what: '任务' })
      await db
        .insertInto('task_seen')
        .columns(['task_id', 'viewer_id'])
        .expression(
          mine(viewer)
            .select((eb) => ['task.id as task_id', eb.val(viewer.id).$castTo<number>().as('viewer_id')])
            .where('task.id', 'in', [...ids])
            .where('task.status', '=', 'failed'),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    async retry(viewer: Viewer, id: number): Promise<void> {
      const task = await db.selectFrom('task').select(['adv_id', 'viewer_id']).where('id', '=', id).executeTakeFirst()
      const isMine = task && (task.adv_id === null ? task.viewer_id === viewer.id : viewer.isMember(task.adv_id))
      if (!isMine) throw new AppError('notFound', { what: '任务' })
      await transaction(db, async (tx) => {
        if (!(await retry(tx, id))) throw new AppError('taskNotRetryable')
        // Another failure of the task is news again.
        await tx.deleteFrom('task_seen').where('task_id', '=', id).execute()
        await audit(tx, viewer, 'task.retry', { id })
      })
    },
  }
}
export type TaskService = ReturnType<typeof taskService>

const isUnseen = (viewer: Viewer) => (eb: ExpressionBuilder<Database, 'task'>) =>
  eb.and([
    eb('task.status', '=', 'failed'),
    eb.not(
      eb.exists(
        eb
          .selectFrom('task_seen')
          .select('task_seen.task_id')
          .whereRef('task_seen.task_id', '=', 'task.id')
          .where('task_seen.viewer_id', '=', viewer.id),
      ),
    ),
  ])

/** Its push waits for a viewer. */
const isPaused = (eb: ExpressionBuilder<Database, 'task'>) =>
  eb.exists(
    eb
      .selectFrom('push')
      .select('push.id')
      .whereRef('push.task_id', '=', 'task.id')
      .where('push.status', '=', 'paused'),
  )

const countWhere = (condition: Expression<SqlBool>) => sql<number>`count(*) filter (where ${condition})`
