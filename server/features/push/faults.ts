import type { Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { platformInfo } from '#contract/platform.ts'
import { OutcomeError } from '../../errors.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import type { PlatformFault } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { timeText } from '../../time/day.ts'
import type { PushDeps } from './deps.ts'
import { settle } from './forgotten.ts'
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
/** How long a push waits for a platform that refuses for now without saying until when. */
const NOT_YET_SECONDS = 3600

/** Why a push fails with a fault that it cannot wait out. */
const refusalOf = ({ kind, outcome: cause }: PlatformFault, at: AtAccount): AnyOutcome =>
  kind === 'quota'
    ? outcome('platform_quota_exceeded', { cause, account: at.account, account_id: at.id, platform: at.platform })
    : cause

/** The account that a platform's answer is about. */
interface AtAccount {
  id: number
  account: string
  platform: string
  /** The platform's own code. */
  code: string | null
}

/** Handles a platform's refusal or silence: the push waits, starts over, or fails with the error thrown here. */
export function pushFaults(deps: PushDeps) {
  return onFault

  async function onFault(job: RunningJob<object>, active: ActivePush, fault: PlatformFault): Promise<'again' | 'over'> {
    const { child, push } = active
    if (fault.kind === 'unauthorised') {
      await pauseForAuthorisation(job, active, fault)
      return 'over'
    }
    if (fault.kind === 'notYet') {
      await pauseUntil(job, active, fault)
      return 'over'
    }
    if (fault.kind === 'later') {
      await tryLater(job, active, fault)
      return 'over'
    }
    if (fault.kind === 'gone' && push.forget_account_id !== null) {
      await endWithAudience(job, active, push.forget_account_id)
      return 'over'
    }
    if (fault.kind === 'gone' && (child.audience_id ?? child.source_id) !== null && !push.state.remade) {
      await sendToNewAudience(job, active)
      return 'again'
    }
    throw new OutcomeError(refusalOf(fault, await accountOf(active, fault)), { cause: fault })
  }

  /** Without its audience a removal has nothing to do. */
  async function endWithAudience(job: RunningJob<object>, { push }: ActivePush, forget_account_id: number) {
    await job.finish(async (tx) => {
      await setPush(tx, push.id, { status: 'done', reason: null, finished_at: now() })
      await settle(tx, forget_account_id, 'gone')
    })
  }

  async function accountOf({ child }: ActivePush, { code }: PlatformFault): Promise<AtAccount> {
    const { name } = await deps.db
      .selectFrom('platform_account')
      .select('name')
      .where('id', '=', child.account_id)
      .executeTakeFirstOrThrow()
    const platform = platformInfo(child.cnt_type).name
    return { id: child.account_id, account: name, platform, code: code === null ? null : String(code) }
  }

  async function pauseForAuthorisation(job: RunningJob<object>, active: ActivePush, fault: PlatformFault) {
    const { push, child } = active
    const reason = outcome('push_waits_for_authorisation', {
      cause: fault.outcome,
      at_account: await accountOf(active, fault),
    })
    await job.wait(
      async (tx) => {
        if (await isAuthorisedSince(tx, active)) return true
        const isNewPause = push.status !== 'paused'
        await setPush(tx, push.id, { status: 'paused', reason })
        if (isNewPause) await notifyPush(deps, tx, { child, push_id: push.id, kind: 'paused', reason })
        return false
      },
      (isAuthorised) => (isAuthorised ? AT_ONCE_SECONDS : PAUSE_SECONDS),
      reason,
    )
  }

  /** The platform refuses for today, or for this audience for some hours. */
  async function pauseUntil(job: RunningJob<object>, active: ActivePush, fault: PlatformFault) {
    const { push } = active
    const seconds = Math.max(1, fault.retryAfter ?? NOT_YET_SECONDS)
    const at = now() + Math.ceil(seconds)
    const reason = outcome('push_waits_until', {
      at,
      when: timeText(at, deps.timezone),
      cause: fault.outcome,
      at_account: await accountOf(active, fault),
    })
    await job.wait((tx) => setPush(tx, push.id, { status: 'paused', reason }), seconds, reason)
  }

  /** Waits longer after each failure in a row, and gives up in the end. */
  async function tryLater(job: RunningJob<object>, active: ActivePush, fault: PlatformFault) {
    const { push } = active
    const attempts = push.attempts + 1
    if (attempts > FAILURES_MAX) {
      throw new OutcomeError(outcome('push_gave_up', { times: FAILURES_MAX, cause: fault.outcome }), { cause: fault })
    }
    const backOff = Math.min(BACK_OFF_MOST, BACK_OFF_FIRST ** Math.min(attempts, 12)) * (0.75 + Math.random() / 2)
    const seconds = deps.pace * Math.max(fault.retryAfter ?? 0, backOff)
    const reason = outcome('push_tries_again', {
      at: now() + Math.ceil(seconds),
      cause: fault.outcome,
      at_account: await accountOf(active, fault),
    })
    await job.wait((tx) => setPush(tx, push.id, { attempts, reason }), seconds, reason)
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
