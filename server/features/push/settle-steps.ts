import type { Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import { type AudienceState, PlatformFault } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { timeText } from '../../time/day.ts'
import { writeAudienceState } from '../audience/audience-state.ts'
import type { PushDeps } from './deps.ts'
import type { PushParts } from './parts.ts'
import { setPush } from './records.ts'
import { type ActivePush, called, type Job, move, nextOf, pollAgain, refOf, type StepResult } from './step-tools.ts'

type Write = (tx: Transaction<Database>) => Promise<void>

/** Follows the audience on its platform until it has computed and published what was sent. */
export function settleSteps(deps: PushDeps, parts: PushParts) {
  const { db } = deps
  return { settle, publish }

  async function settle(job: Job, active: ActivePush): Promise<StepResult> {
    const { push } = active
    job.task.progress(0.85, '平台计算中')
    for (const part of await parts.of(push.id)) {
      if (part.status === 'done') continue
      const result = await parts.poll(job, active, part)
      if (result !== 'taken') return result === 'lost' ? 'next' : result
    }
    const { state, write } = await pollAudience(job, active)
    if (state.pending === 'publish' || state.pending === 'push') return move(job, active, nextOf(active), write)
    if (state.status === 'computing' || state.pending === 'data') {
      return pollAgain(job, active, deps.pace, outcome('push_waits_for_computing'), write)
    }
    return move(job, active, 'done', write)
  }

  async function publish(job: Job, active: ActivePush): Promise<StepResult> {
    const { child, platform, session } = active
    job.task.progress(0.95, '发布中')
    const { state, write } = await pollAudience(job, active)
    if (state.pending === null && state.status !== 'computing') return move(job, active, 'done', write)
    if (state.pending !== 'publish' && state.pending !== 'push') {
      return pollAgain(job, active, deps.pace, outcome('push_waits_for_publication'), write)
    }
    if ((state.not_before ?? 0) > now()) return notBefore(job, active, state.not_before ?? 0, write)
    await called(job, active, (on) => platform.advance(session, refOf(active), on))
    return pollAgain(job, active, deps.pace, outcome('push_waits_for_publication'), async (tx) => {
      await write(tx)
      if (state.pending !== 'publish') return
      await tx.updateTable('audience').set({ published_at: now() }).where('id', '=', child.id).execute()
    })
  }

  /**
   * Waits until the platform, which publishes once a day, takes the next version. A push that waits behind this one goes
   * first: it publishes both changes.
   */
  async function notBefore(job: Job, active: ActivePush, time: number, write: Write): Promise<StepResult> {
    const behind = await db
      .selectFrom('push')
      .select('id')
      .where('child_id', '=', active.child.id)
      .where('status', '=', 'waiting')
      .executeTakeFirst()
    if (behind) return move(job, active, 'done', write)
    const reason = outcome('push_waits_to_publish', { at: time, when: timeText(time, deps.timezone) })
    await job.step(async (tx) => {
      await write(tx)
      await setPush(tx, active.push.id, { reason, attempts: 0, state: active.push.state })
    })
    return { wait: Math.max(1, time - now() + 1), why: reason, isPaused: true }
  }

  /** Polls the audience. The step that follows stores the answer with `write`. */
  async function pollAudience(job: Job, active: ActivePush): Promise<{ state: AudienceState; write: Write }> {
    const { ref, state } = await called(job, active, (on) =>
      active.platform.readAudience(active.session, refOf(active), on),
    )
    Object.assign(active.child, ref)
    const write: Write = async (tx) => {
      const { accepted } = await writeAudienceState(tx, active.child.id, ref, state, deps.pace)
      await setPush(tx, active.push.id, { accepted })
    }
    if (state.status !== 'failed') return { state, write }
    await job.step(write)
    throw new PlatformFault('refused', state.reason ?? outcome('platform_compute_failed', { code: null }))
  }
}
