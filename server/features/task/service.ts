import type { Kysely } from 'kysely'
import { sentenceOrNull } from '#contract/outcome.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

const SHOWN_SECONDS = 86_400
const SHOWN_MAX = 50

/** The task tray: running tasks, and those that ended within a day. */
export function taskService(db: Kysely<Database>, retry: (task_id: number) => Promise<boolean>) {
  return {
    async list(viewer: Viewer) {
      const rows = await db
        .selectFrom('task')
        .selectAll()
        .select((eb) =>
          eb(
            'id',
            'in',
            eb.selectFrom('push').select('task_id').where('status', '=', 'paused').where('task_id', 'is not', null),
          ).as('is_paused'),
        )
        .where((eb) =>
          eb.or([
            eb('viewer_id', '=', viewer.id),
            ...(viewer.adv_ids.length > 0 ? [eb('adv_id', 'in', viewer.adv_ids)] : []),
          ]),
        )
        .where((eb) =>
          eb.or([eb('status', 'in', ['waiting', 'running']), eb('finished_at', '>', now() - SHOWN_SECONDS)]),
        )
        .orderBy('id', 'desc')
        .limit(SHOWN_MAX)
        .execute()
      const list = rows.map(({ job, job_id, result, viewer_id, is_paused, ...task }) => ({
        ...task,
        error: sentenceOrNull(task.error),
        error_outcome: task.error,
        status: task.status === 'waiting' && is_paused ? ('paused' as const) : task.status,
        retryable: task.status === 'failed' && job !== null,
      }))
      return {
        list,
        running: list.filter((task) => task.status === 'waiting' || task.status === 'running').length,
        failed: list.filter((task) => task.status === 'failed').length,
      }
    },

    async retry(viewer: Viewer, id: number): Promise<void> {
      const task = await db.selectFrom('task').select(['adv_id', 'viewer_id']).where('id', '=', id).executeTakeFirst()
      const mine = task && (task.adv_id === null ? task.viewer_id === viewer.id : viewer.isMember(task.adv_id))
      if (!mine) throw new AppError('notFound', { what: '任务' })
      if (!(await retry(id))) throw new AppError('taskNotRetryable')
      await audit(db, viewer, 'task.retry', { id })
    },
  }
}
export type TaskService = ReturnType<typeof taskService>
