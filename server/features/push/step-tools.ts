import type { Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { OutcomeError } from '../../errors.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import type { AccountSession, AudiencePlatform, AudienceRef, StepHooks } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import type { CallSample } from '../../postgres/schema-custom.ts'
import type { Child } from '../audience/child.ts'
import { type Push, setPush, withSamples } from './records.ts'

/** A push that a job is running. */
export interface ActivePush {
  push: Push
  child: Child
  platform: AudiencePlatform
  session: AccountSession
  /** When this was read, in epoch seconds. Authorisations after that are not known here. */
  since: number
}

export interface StepWait {
  /** Seconds. */
  wait: number
  why: AnyOutcome
  isPaused?: boolean
}
/** The result of a step: continue with the next one, end, or wait. */
export type StepResult = 'next' | 'done' | StepWait
export type Job = RunningJob<object>

type Step = Push['step']

const ORDER = {
  'audience-first': ['plan', 'create', 'send', 'settle', 'publish', 'done'],
  'data-first': ['plan', 'send', 'create', 'apply', 'settle', 'publish', 'done'],
} as const satisfies Record<AudiencePlatform['order'], readonly Step[]>

/** The step after the push's own, in the order of its platform. */
export function nextOf({ push, platform }: ActivePush): Step {
  const order: readonly Step[] = ORDER[platform.order]
  return order[order.indexOf(push.step) + 1] ?? 'done'
}

const POLL_FIRST = 3
const POLL_MOST = 300

export const refOf = ({ child }: ActivePush): AudienceRef => ({
  audience_id: child.audience_id,
  source_id: child.source_id,
})

/** Moves on to another step, and resets the count of failures. */
export async function move(
  job: Job,
  active: ActivePush,
  step: Push['step'],
  also?: (tx: Transaction<Database>) => Promise<unknown>,
): Promise<'next'> {
  await job.step(async (tx) => {
    await also?.(tx)
    await setPush(tx, active.push.id, { step, attempts: 0, reason: null, state: { ...active.push.state, polls: 0 } })
  })
  return 'next'
}

/** Runs a call that belongs to no part and collects its samples. The next step stores them; after a failure they are stored here. */
export async function called<T>(job: Job, active: ActivePush, work: (on: StepHooks) => Promise<T>): Promise<T> {
  const made: CallSample[] = []
  const keep = () => {
    active.push.state = { ...active.push.state, samples: withSamples(active.push.state.samples ?? [], made) }
  }
  try {
    const answer = await work({ signal: job.signal, sample: (sample) => made.push(sample) })
    keep()
    return answer
  } catch (error) {
    keep()
    if (!job.signal.aborted) await job.step((tx) => setPush(tx, active.push.id, { state: active.push.state }))
    throw error
  }
}

/** Waits for the platform. The pause grows with each poll, and holds no worker. */
export async function pollAgain(
  job: Job,
  active: ActivePush,
  pace: number,
  why: AnyOutcome,
  also?: (tx: Transaction<Database>) => Promise<unknown>,
): Promise<StepWait> {
  const polls = (active.push.state.polls ?? 0) + 1
  active.push.state = { ...active.push.state, polls }
  await job.step(async (tx) => {
    await also?.(tx)
    await setPush(tx, active.push.id, { state: active.push.state, attempts: 0, reason: null })
  })
  return { wait: Math.min(POLL_MOST, POLL_FIRST * 1.5 ** (polls - 1)) * pace, why }
}

/** The refusal of a push, for these reasons. */
export const refused = (problems: AnyOutcome[]) => new OutcomeError(outcome('push_refused', { problems }))
