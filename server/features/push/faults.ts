import type { Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import { OutcomeError } from '../../errors.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import type { PlatformFault } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import type { PushDeps } from './deps.ts'
import { notifyPush } from './notify.ts'
import { newKey } from './queue.ts'
import { setPush } from './records.ts'
import type { ActivePush } from './step-tools.ts'

/** Consecutive failures after which the push fails. */
const FAILURES_MAX = 30
const BACK_OFF_FIRST = 2
const BACK_OFF_MOST = 600
/** Seconds after which a paused push tries again by itself. */
const PAUSE_SECONDS = 6 * 3600
const AT_ONCE_SECONDS = 1

/** Handles a platform's refusal or silence: the push waits, starts over, or fails with the error thrown here. */
export function pushFaults(deps: PushDeps) {
  return onFault

  async function onFault(job: RunningJob<object>, active: ActivePush, fault: PlatformFault): Promise<'again' | 'over'> {
    const { push, child } = active
    if (fault.kind === 'unauthorised') {
      await job.wait(
        async (tx) => {
          if (await isAuthorisedSince(tx, active)) return true
          const isNewPause = push.status !== 'paused'
          const reason = outcome('push_waits_for_authorisation', { cause: fault.outcome })
          await setPush(tx, push.id, { status: 'paused', reason })
          if (isNewPause) await notifyPush(deps, tx, { child, push_id: push.id, kind: 'paused', reason })
          return false
        },
        (isAuthorised) => (isAuthorised ? AT_ONCE_SECONDS : PAUSE_SECONDS),
        '授权已失效，重新授权后自动继续',
      )
      return 'over'
    }
    if (fault.kind === 'later' || fault.kind === 'notYet') {
      const attempts = fault.kind === 'later' ? push.attempts + 1 : push.attempts
      if (attempts > FAILURES_MAX)
        throw new OutcomeError(outcome('push_gave_up', { times: FAILURES_MAX, cause: fault.outcome }), { cause: fault })
      const wait =
        fault.kind === 'notYet'
          ? Math.max(1, fault.retryAfter ?? 3600)
          : deps.pace *
            Math.max(
              fault.retryAfter ?? 0,
              Math.min(BACK_OFF_MOST, BACK_OFF_FIRST ** Math.min(attempts, 12)) * (0.75 + Math.random() / 2),
            )
      await job.wait(
        (tx) =>
          setPush(tx, push.id, {
            attempts,
            reason: fault.outcome,
            ...(fault.kind === 'notYet' ? { status: 'paused' } : {}),
          }),
        wait,
        `${fault.message}，稍后自动继续`,
      )
      return 'over'
    }
    if (fault.kind === 'gone' && (child.audience_id ?? child.source_id) !== null && !push.state.remade) {
      await sendToNewAudience(job, active)
      return 'again'
    }
    throw new OutcomeError(fault.outcome, { cause: fault })
  }

  /**
   * Whether the account was authorised after the push read it. That authorisation resumed the pushes paused by then, not
   * this one. Waits for an authorisation that is being stored.
   */
  async function isAuthorisedSince(tx: Transaction<Database>, { child, since }: ActivePush): Promise<boolean> {
    const account = await tx
      .selectFrom('platform_account')
      .select('authorised_at')
      .where('id', '=', child.account_id)
      .forShare()
      .executeTakeFirstOrThrow()
    return (account.authorised_at ?? 0) >= since
  }

  /** The audience was deleted on the platform: everything is sent again, to a new one. */
  async function sendToNewAudience(job: RunningJob<object>, active: ActivePush): Promise<void> {
    const { push, child } = active
    await job.step(async (tx) => {
      const { plan } = await tx
        .selectFrom('push')
        .select((eb) => eb.fn.coalesce(eb.fn.max('plan_id'), eb.val(0)).as('plan'))
        .where('child_id', '=', child.id)
        .executeTakeFirstOrThrow()
      await tx.deleteFrom('push_part').where('push_id', '=', push.id).execute()
      await setPush(tx, push.id, {
        step: 'plan',
        attempts: 0,
        sent: 0,
        accepted: null,
        state: { ...active.push.state, polls: 0, remade: true },
      })
      await tx
        .updateTable('audience')
        .set({
          void_plan: Number(plan),
          audience_id: null,
          source_id: null,
          key: newKey(),
          accepted: null,
          covered: null,
        })
        .where('id', '=', child.id)
        .execute()
    })
  }
}
