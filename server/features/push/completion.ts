import type { Transaction } from 'kysely'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { customLog } from '../../crowds/custom-log.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { type Child, lockChild } from '../audience/child.ts'
import type { PushDeps } from './deps.ts'
import { exclusionsChanged } from './exclusion-changes.ts'
import { settle } from './forgotten.ts'
import { notifyPush } from './notify.ts'
import type { PushQueue } from './queue.ts'
import { json, type Push, setPush } from './records.ts'

/** Ends a push, which starts the child's next one, and resumes a failed or cancelled push. */
export function pushCompletion(deps: PushDeps, queue: PushQueue) {
  return { endDone, endFailed, resume }

  async function endDone(tx: Transaction<Database>, push_id: number): Promise<void> {
    const push = await tx.selectFrom('push').selectAll().where('id', '=', push_id).executeTakeFirstOrThrow()
    const child = await lockChild(tx, push.child_id)
    if (!child) return
    if (push.forget_account_id !== null) {
      await setPush(tx, push_id, { status: 'done', reason: null, finished_at: now() })
      await settle(tx, push.forget_account_id, 'accepted')
      await queue.startNext(tx, child.id)
      return
    }
    const isNoChange = push.adds === 0 && push.removes === 0
    if (isNoChange && push.viewer_id === null && (await hasSameNumbers(tx, push))) {
      // Crowds recompute often and seldom change: a push that no person asked for and that did nothing is not kept.
      await tx.deleteFrom('push').where('id', '=', push_id).execute()
      if (push.task_id !== null) await tx.deleteFrom('task').where('id', '=', push.task_id).execute()
    } else {
      await setPush(tx, push_id, { status: 'done', reason: null, finished_at: now() })
      const changes = [
        ...(push.adds > 0 ? [`新增 ${push.adds.toLocaleString('en')}`] : []),
        ...(push.removes > 0 ? [`移除 ${push.removes.toLocaleString('en')}`] : []),
      ]
      const what = isNoChange ? '没有变化' : changes.join('，')
      if (child.custom_id !== null) {
        await customLog(tx, push.viewer_id === null ? null : { id: push.viewer_id }, {
          crowd_id: child.custom_id,
          child_id: child.id,
          op_type: 5,
          what: `已发布到「${await accountNameOf(tx, child)}」：${what}`,
          version: push.version,
        })
      }
    }
    await tx.updateTable('audience').set({ pushed_version: push.version }).where('id', '=', child.id).execute()
    await queue.startNext(tx, child.id)
  }

  async function endFailed(tx: Transaction<Database>, push_id: number, reason: AnyOutcome): Promise<void> {
    const push = await tx.selectFrom('push').selectAll().where('id', '=', push_id).executeTakeFirst()
    if (!push || push.status === 'done' || push.status === 'cancelled') return
    const child = await lockChild(tx, push.child_id)
    await setPush(tx, push_id, { status: 'failed', reason, finished_at: now() })
    if (push.forget_account_id !== null) {
      const of = tx.updateTable('forget_account').set({ status: 'failed' }).where('id', '=', push.forget_account_id)
      await of.where('status', 'not in', ['accepted', 'gone', 'expired']).execute()
    }
    if (!child || child.deleted_at !== null) return
    await tx
      .updateTable('audience')
      .set({
        reason,
        // An audience from an earlier push stays usable.
        status: child.audience_id === null || child.pushed_version === null ? 'failed' : 'available',
        next_look_at: child.audience_id === null ? null : now(),
      })
      .where('id', '=', child.id)
      .execute()
    await notifyPush(deps, tx, { child, push_id, kind: 'failed', reason })
    await queue.startNext(tx, child.id)
  }

  /**
   * Resumes a failed or cancelled push where it stopped; returns the push to run. If other people are left out by now
   * than when it was planned, that is a new push with a plan of its own.
   */
  async function resume(tx: Transaction<Database>, push_id: number): Promise<number> {
    const push = await tx.selectFrom('push').selectAll().where('id', '=', push_id).executeTakeFirst()
    const child = push ? await lockChild(tx, push.child_id) : undefined
    if (!push || !child || child.deleted_at !== null) throw new AppError('notFound', { what: '推送记录' })
    if (push.status !== 'failed' && push.status !== 'cancelled') return push_id
    const newer = await tx
      .selectFrom('push')
      .select('id')
      .where('child_id', '=', child.id)
      .where('id', '!=', push_id)
      .where((eb) =>
        eb.or([
          eb('status', 'in', ['running', 'paused']),
          // A newer plan already covers what this push left.
          ...(push.forget_account_id === null
            ? [eb.and([eb('id', '>', push_id), eb('plan_id', 'is not', null), eb('forget_account_id', 'is', null)])]
            : []),
        ]),
      )
      .executeTakeFirst()
    if (newer) throw new AppError('pushSuperseded')
    const mayBePlannedAgain = push.plan_id !== null && push.forget_account_id === null
    if (mayBePlannedAgain && (await exclusionsChanged(tx, push.created_at))) return planAgain(tx, push)
    const lost = await tx
      .updateTable('push_part')
      .set((eb) => ({ status: 'waiting', receipt: null, is_applied: false, round: eb('round', '+', 1) }))
      .where('push_id', '=', push_id)
      .where('status', '=', 'failed')
      .returning('no')
      .execute()
    await setPush(tx, push_id, {
      status: 'running',
      attempts: 0,
      reason: null,
      finished_at: null,
      ...(lost.length > 0 ? { step: 'send' as const } : {}),
    })
    await tx.updateTable('audience').set({ status: 'computing', reason: null }).where('id', '=', child.id).execute()
    return push_id
  }
}

/** A new push instead of one that ended; the caller gives it a job. */
async function planAgain(tx: Transaction<Database>, { id, child_id, version, viewer_id }: Push): Promise<number> {
  const waiting = await tx
    .selectFrom('push')
    .select('id')
    .where('child_id', '=', child_id)
    .where('status', '=', 'waiting')
    .where('forget_account_id', 'is', null)
    .executeTakeFirst()
  if (waiting) throw new AppError('pushSuperseded')
  // Its task, if it has one, shows the new push from now on.
  await setPush(tx, id, { task_id: null })
  const values = {
    child_id,
    version,
    viewer_id,
    status: 'waiting',
    step: 'plan',
    state: json({}),
    created_at: now(),
  } as const
  return (await tx.insertInto('push').values(values).returning('id').executeTakeFirstOrThrow()).id
}

const NUMBERS = ['total', 'suppressed', 'no_consent', 'held_out', 'not_sendable'] as const

/** Whether the record of the previous push shows the same numbers. */
async function hasSameNumbers(tx: Transaction<Database>, push: Push): Promise<boolean> {
  const before = await tx
    .selectFrom('push')
    .select(['status', ...NUMBERS])
    .where('child_id', '=', push.child_id)
    .where('id', '<', push.id)
    .where('step', '!=', 'plan')
    .where('forget_account_id', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return before?.status === 'done' && NUMBERS.every((count) => before[count] === push[count])
}

export async function accountNameOf(tx: Transaction<Database>, child: Child): Promise<string> {
  const of = tx.selectFrom('platform_account').select('name').where('id', '=', child.account_id)
  return (await of.executeTakeFirstOrThrow()).name
}
