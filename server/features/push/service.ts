import { sentenceOf } from '#contract/outcome.ts'
import { pushStateOf } from '#contract/push-state.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { transaction } from '../../postgres/transaction.ts'
import { lockChild } from '../audience/child.ts'
import { waitsForSql } from '../audience/children.ts'
import { pushCancelling } from './cancel.ts'
import type { PushDeps } from './deps.ts'
import { emptyAudiences } from './empty-audiences.ts'
import { pushForgetting } from './forgotten.ts'
import { lostPushes } from './lost-pushes.ts'
import { planner } from './plan.ts'
import { pushQueue } from './queue.ts'
import { pushReading } from './read.ts'
import { pushJob } from './run.ts'
import { pushStarting } from './start.ts'

/** Pushes of crowds to ad platforms: checked, started, run, listed, cancelled and retried. */
export function pushService(deps: PushDeps) {
  const { db, jobs } = deps
  const plans = planner(deps)
  const queue = pushQueue(jobs)
  const running = pushJob(deps, plans, queue)
  lostPushes(deps, queue)
  emptyAudiences(deps)
  const cancel = pushCancelling(deps, queue)
  const forgetting = pushForgetting(deps, queue)

  async function mustFind(viewer: Viewer, id: number) {
    const push = await db
      .selectFrom('push')
      .innerJoin('audience', 'audience.id', 'push.child_id')
      .innerJoin('platform_account', 'platform_account.id', 'audience.account_id')
      .selectAll('push')
      .select('platform_account.adv_id')
      .where('push.id', '=', id)
      .executeTakeFirst()
    if (!push || !viewer.isMember(push.adv_id)) throw new AppError('notFound', { what: '推送记录' })
    return push
  }

  return {
    ...pushStarting(deps, plans, queue),
    ...pushReading(db),
    /** Forgotten people in what pushes keep, and on the platforms. */
    forgetting,

    async cancel(viewer: Viewer, id: number) {
      const { child_id } = await mustFind(viewer, id)
      const told_outcome = await cancel(viewer, id, child_id)
      return { told: sentenceOf(told_outcome), told_outcome }
    },

    /** Has a push tried again at once that failed, is paused, was cancelled or waits for its next attempt. */
    async retry(viewer: Viewer, id: number): Promise<void> {
      const { child_id } = await mustFind(viewer, id)
      await transaction(db, async (tx) => {
        const child = await lockChild(tx, child_id)
        if (!child || child.deleted_at !== null) throw new AppError('notFound', { what: '推送记录' })
        // Read under the lock: the second of two clicks sees that the push was resumed.
        const push = await tx
          .selectFrom('push')
          .leftJoin('task', 'task.id', 'push.task_id')
          .selectAll('push')
          .select(waitsForSql.as('waits_for'))
          .where('push.id', '=', id)
          .executeTakeFirstOrThrow()
        if (push.status === 'paused') await queue.wake(tx, push, child)
        // If its job runs already, the next attempt has begun.
        else if (pushStateOf({ status: push.status, reason: push.waits_for }) === 'retrying') {
          if (push.task_id !== null) await jobs.startNow(tx, push.task_id)
        } else if (push.status !== 'failed' && push.status !== 'cancelled') throw new AppError('pushNotRetryable')
        else if (push.task_id === null || !(await jobs.retry(tx, push.task_id))) {
          const push_id = await running.resume(tx, id)
          await queue.sendRun(tx, { id: push_id, viewer_id: push.viewer_id }, child)
        }
        await audit(tx, viewer, 'push.retry', { push_id: id, child_id: push.child_id })
      })
    },

    async setKeepsStep(viewer: Viewer, child_id: number, keeps_step: boolean): Promise<void> {
      await transaction(db, async (tx) => {
        const child = await tx
          .selectFrom('audience')
          .innerJoin('platform_account', 'platform_account.id', 'audience.account_id')
          .select(['audience.id', 'audience.people_id', 'audience.pushed_version', 'platform_account.adv_id'])
          .where('audience.id', '=', child_id)
          .where('audience.deleted_at', 'is', null)
          .executeTakeFirst()
        if (!child || !viewer.isMember(child.adv_id)) throw new AppError('notFound', { what: '子人群' })
        const locked = await lockChild(tx, child_id)
        if (!locked || locked.keeps_step === keeps_step) return
        await tx.updateTable('audience').set({ keeps_step }).where('id', '=', child_id).execute()
        await audit(tx, viewer, 'push.keeps_step', { child_id, keeps_step })
        if (!keeps_step || child.people_id === null) return
        // Pushes what changed while the child did not follow its crowd.
        const crowd = await tx
          .selectFrom('people')
          .select('version')
          .where('id', '=', child.people_id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        if (crowd && crowd.version > 0 && crowd.version !== child.pushed_version) {
          await queue.enqueue(tx, locked, crowd.version, null)
        }
      })
    },
  }
}
export type PushService = ReturnType<typeof pushService>
