import { type Kysely, sql } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import { removedValues } from '../../identifiers/removed-values.ts'
import { PlatformFault, type StepHooks } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import type { CallSample } from '../../postgres/schema-custom.ts'
import { now } from '../../time/clock.ts'
import type { PushDeps } from './deps.ts'
import { partValues } from './part-values.ts'
import { json, type Part, setPush, withSamples } from './records.ts'
import { type ActivePush, type Job, pollAgain, refOf, type StepWait } from './step-tools.ts'

/** How often a file is sent that the platform could not read. */
const ROUNDS_MAX = 3

/** The parts of a push: sent, polled, and sent again where they were lost. */
export function pushParts({ db, engine, personKey, secrets, pace }: PushDeps) {
  const keyOf = ({ child, push }: ActivePush, part: Part) => `${child.key}_${push.plan_id}_${part.no}_${part.round}`

  /** Those of a forgotten person are encrypted apart from the others. */
  async function* valuesOf(push: ActivePush['push'], of: Parameters<typeof partValues>[2]) {
    if (push.forget_account_id === null) return yield* partValues(engine.acrossShards, personKey, of)
    const values = await removedValues(db, secrets, push.forget_account_id)
    if (values === null) throw new PlatformFault('refused', outcome('removal_values_erased'))
    yield values.filter(({ type }) => type === of.type).map(({ text }) => text)
  }

  const set = (
    tx: Kysely<Database>,
    part: Pick<Part, 'push_id' | 'no'>,
    values: Partial<Omit<Part, 'samples'>> & { samples?: string },
  ) => tx.updateTable('push_part').set(values).where('push_id', '=', part.push_id).where('no', '=', part.no).execute()

  /** Runs a call for a part and collects its samples, which the next step stores; after a failure they are stored here. */
  async function called<T>(job: Job, part: Part, work: (on: StepHooks) => Promise<T>): Promise<T> {
    const made: CallSample[] = []
    const keep = () => {
      part.samples = withSamples(part.samples, made)
    }
    try {
      const answer = await work({ signal: job.signal, sample: (sample) => made.push(sample) })
      keep()
      return answer
    } catch (error) {
      keep()
      if (!job.signal.aborted) await job.step((tx) => set(tx, part, { samples: json(part.samples) }))
      throw error
    }
  }

  return {
    of: (push_id: number): Promise<Part[]> =>
      db.selectFrom('push_part').selectAll().where('push_id', '=', push_id).orderBy('no').execute(),

    async send(job: Job, active: ActivePush, part: Part): Promise<void> {
      const { push, child, platform, session } = active
      // Stored before the call: from now on the platform may have the part, whatever the answer.
      await job.step((tx) => set(tx, part, { attempts: part.attempts + 1 }))
      const of = { child_id: child.id, plan_id: push.plan_id ?? 0, no: part.no, type: part.type }
      const receipt = await called(job, part, (on) =>
        platform.sendPart(
          session,
          refOf(active),
          part.type,
          {
            key: keyOf(active, part),
            op: part.op,
            count: part.count,
            values: () => valuesOf(push, of),
          },
          on,
        ),
      )
      active.push.state = { ...active.push.state, polls: 0 }
      await job.step(async (tx) => {
        await set(tx, part, {
          status: 'sent',
          receipt,
          reason: null,
          sent_at: now(),
          is_applied: platform.order === 'audience-first',
          samples: json(part.samples),
        })
        await recount(tx, push.id)
        await setPush(tx, push.id, { attempts: 0, reason: null, state: active.push.state })
      })
      part.receipt = receipt
      part.status = 'sent'
    },

    /** Polls a sent part and stores its state; a lost part is sent again. */
    async poll(job: Job, active: ActivePush, part: Part): Promise<'taken' | 'lost' | StepWait> {
      const { push, platform, session } = active
      const answer = await called(job, part, (on) => platform.partState(session, refOf(active), part.receipt ?? '', on))
      const samples = json(part.samples)
      if (answer.state === 'waiting') {
        const why = outcome('push_waits_for_file', { no: part.no })
        return pollAgain(job, active, pace, why, (tx) => set(tx, part, { samples }))
      }
      // All values are well-formed, so a part that was accepted only in part is sent once more, which adds no value twice.
      const isShort = answer.accepted !== null && answer.accepted < part.count
      const short = isShort ? outcome('part_taken_short', { accepted: answer.accepted ?? 0, count: part.count }) : null
      const reason = answer.reason ?? short
      const isLost = answer.state === 'failed' || (isShort && part.round === 0)
      if (isLost && part.round + 1 >= ROUNDS_MAX) {
        await job.step((tx) => set(tx, part, { status: 'failed', reason: answer.reason, samples }))
        const cause = answer.reason ?? outcome('platform_gave_no_reason', { code: null })
        throw new PlatformFault('refused', outcome('part_not_taken', { no: part.no, cause }))
      }
      active.push.state = { ...active.push.state, polls: 0 }
      await job.step(async (tx) => {
        await set(
          tx,
          part,
          isLost
            ? {
                status: 'waiting',
                round: part.round + 1,
                receipt: null,
                is_applied: false,
                reason,
                samples,
              }
            : { status: 'done', accepted: answer.accepted, reason, samples },
        )
        await recount(tx, push.id)
        await setPush(tx, push.id, {
          attempts: 0,
          state: active.push.state,
          ...(isLost ? { step: 'send' as const } : {}),
        })
      })
      return isLost ? 'lost' : 'taken'
    },

    /** Sends files again that the platform no longer keeps, after a long pause before they were used. */
    async dropStale(job: Job, active: ActivePush, parts: readonly Part[]): Promise<boolean> {
      const { receiptLife } = active.platform.limits
      if (receiptLife === null) return false
      const stale = parts.filter((part) => !part.is_applied && (part.sent_at ?? 0) < now() - receiptLife)
      if (stale.length === 0) return false
      await job.step(async (tx) => {
        for (const part of stale) {
          await set(tx, part, { status: 'waiting', receipt: null, round: part.round + 1 })
        }
        await setPush(tx, active.push.id, { step: 'send' })
      })
      return true
    },
  }
}
export type PushParts = ReturnType<typeof pushParts>

/** Adds up the values of the parts that the audience was given; a file alone brings nobody into it. */
export async function recount(tx: Kysely<Database>, push_id: number): Promise<void> {
  await sql`
    update push set
      sent = coalesce((select sum(count) from push_part
        where push_id = push.id and op = 'add' and is_applied and status in ('sent', 'done')), 0)
    where id = ${push_id}`.execute(tx)
}
