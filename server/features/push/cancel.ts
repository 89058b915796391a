import type { Transaction } from 'kysely'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { OPEN_PUSH } from '#contract/push-status.ts'
import { customLog } from '../../crowds/custom-log.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { type Child, tryLockChild } from '../audience/child.ts'
import { hasPlatformId } from '../audience/remove-on-platform.ts'
import { accountNameOf } from './completion.ts'
import type { PushDeps } from './deps.ts'
import type { PushQueue } from './queue.ts'
import { type Push, setPush } from './records.ts'

/** Undoes a cancellation that begins again. */
class ChildHeld extends Error {}

/** Cancels pushes. What was sent stays on the platform; the next push of the child settles what is unknown. */
export function pushCancelling({ db, jobs }: PushDeps, queue: PushQueue) {
  /**
   * Cancels an open push, and those of its child that wait behind it, since they would send what it left. A push that
   * was cancelled before answers the same again.
   */
  return async function cancel(viewer: Viewer, id: number, child_id: number): Promise<AnyOutcome> {
    const told = await transaction(db, async (tx) => {
      const open = await openPushes(tx, child_id, id)
      // Jobs first: a step of a running push locks its job before its child. A start or a retry has the child first and
      // may wait for one of these jobs, so this does not wait for the child.
      for (const { task_id } of open) if (task_id !== null) await jobs.cancel(tx, task_id)
      const child = await tryLockChild(tx, child_id)
      if (child === 'held') throw new ChildHeld()
      const push = await tx.selectFrom('push').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      if (push.status === 'cancelled' && push.reason) return push.reason
      const still = await openPushes(tx, child_id, id)
      // Whom the advertiser forgot is removed from the platforms in any case.
      if (!child || push.forget_account_id !== null || !still.some((one) => one.id === id))
        throw new AppError('pushNotCancellable')
      // One that was queued or resumed meanwhile has a job that still runs.
      const cancelled = still.filter((one) => open.some((read) => read.id === one.id && read.task_id === one.task_id))
      if (!cancelled.some((one) => one.id === id)) return null
      for (const one of cancelled) await end(tx, viewer, one, child)
      const reason = await reasonOf(tx, push, child)
      await settleChild(tx, child, reason)
      await queue.startNext(tx, child_id)
      return reason
    }).catch((error) => {
      if (error instanceof ChildHeld) return null
      throw error
    })
    return told ?? cancel(viewer, id, child_id)
  }

  async function end(tx: Transaction<Database>, viewer: Viewer, push: Push, child: Child): Promise<void> {
    const reason = await reasonOf(tx, push, child)
    await setPush(tx, push.id, { status: 'cancelled', reason, finished_at: now() })
    await audit(tx, viewer, 'push.cancel', { push_id: push.id, child_id: child.id, told: sentenceOf(reason) })
    if (child.custom_id === null) return
    await customLog(tx, viewer, {
      crowd_id: child.custom_id,
      child_id: child.id,
      op_type: 0,
      what: `取消推送到「${await accountNameOf(tx, child)}」：${sentenceOf(reason)}`,
      version: push.version,
    })
  }
}

/** The push if it is open, and, unless it only waits, the child's pushes behind it. */
async function openPushes(tx: Transaction<Database>, child_id: number, id: number): Promise<Push[]> {
  const open = await tx
    .selectFrom('push')
    .selectAll()
    .where('child_id', '=', child_id)
    .where('status', 'in', OPEN_PUSH)
    .orderBy('id')
    .execute()
  const push = open.find((one) => one.id === id)
  if (!push) return []
  if (push.forget_account_id !== null) return []
  const behind = open.filter((one) => one.status === 'waiting' && one.forget_account_id === null)
  return push.status === 'waiting' ? [push] : [push, ...behind]
}

/** How much of a push the platform has. */
async function reasonOf(tx: Transaction<Database>, push: Push, child: Child) {
  const parts = await tx.selectFrom('push_part').selectAll().where('push_id', '=', push.id).execute()
  const isSent = (part: (typeof parts)[number]) => part.is_applied && (part.status === 'sent' || part.status === 'done')
  // Before files are handed to the audience, a file that was received has no effect.
  const isUnknown = (part: (typeof parts)[number]) =>
    !isSent(part) && part.attempts > 0 && !(part.status === 'sent' && push.step === 'send')
  const valuesOf = (list: typeof parts) => list.reduce((sum, part) => sum + part.count, 0)
  const sent = parts.filter(isSent)
  return outcome('push_cancelled', {
    sent: valuesOf(sent),
    values: valuesOf(parts),
    files_sent: sent.length,
    files: parts.length,
    unknown: valuesOf(parts.filter(isUnknown)),
    is_there: hasPlatformId(child),
  })
}

/**
 * An audience of an earlier push stays usable; the next poll brings the platform's own state of any. While another push
 * of the child is under way, the state is that push's.
 */
async function settleChild(tx: Transaction<Database>, child: Child, reason: AnyOutcome): Promise<void> {
  await tx
    .updateTable('audience')
    .set({
      reason,
      status: child.audience_id === null || child.pushed_version === null ? 'failed' : 'available',
      next_look_at: child.audience_id === null ? null : now(),
    })
    .where('id', '=', child.id)
    .where('status', '=', 'computing')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('push')
            .select('push.id')
            .whereRef('push.child_id', '=', 'audience.id')
            .where('push.status', 'in', ['running', 'paused']),
        ),
      ),
    )
    .execute()
}
