import type { Kysely, Transaction } from 'kysely'
import { sentenceOf } from '#contract/outcome.ts'
import { type AudienceRef, PlatformFault } from '../../platforms/audience-platform.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { type Child, lockChild } from '../audience/child.ts'
import type { PushDeps } from './deps.ts'
import { newKey } from './queue.ts'

const FIND = 'push.empty-audiences'
const REMOVE = 'push.remove-empty'
/** Seconds after a refusal during which a retry still goes to the audience that was made. */
const KEPT_FOR = 600
/** Seconds until the platform is asked again, and after which a removal is given up. */
const AGAIN_AFTER = 300
const GIVEN_UP_AFTER = 30 * 86_400

type Removal = Pick<Child, 'account_id' | 'cnt_type'> & AudienceRef & { child_id: number; until: number }

/**
 * Removes audiences that a refused push created and brought nothing into: on the platform they stay PENDING for ever and
 * use up the account's quota. The child keeps its reason, and a retry makes a new audience.
 */
export function emptyAudiences({ db, jobs, timezone, platformOf, session, pace }: PushDeps): void {
  jobs.handle(FIND, { concurrency: 1, retries: 0 }, async (job) => {
    for (const child of await leftEmpty(db).execute()) {
      if (!(await isEmptyThere(child, job.signal))) continue
      await job.step((tx) => letGo(tx, child))
    }
  })
  jobs.schedule(FIND, '*/10 * * * *', timezone)

  /** Whether the platform says that it has received nothing; false when it does not answer. */
  async function isEmptyThere(child: Child, signal: AbortSignal): Promise<boolean> {
    const on = { signal, sample: () => {} }
    try {
      const { state } = await platformOf(child.cnt_type).readAudience(await session(child.account_id), child, on)
      return state.isEmpty === true
    } catch (error) {
      if (signal.aborted || !(error instanceof PlatformFault)) throw error
      return false
    }
  }

  /** Separates the audience from its child and queues its removal, in one transaction: a kill loses neither. */
  async function letGo(tx: Transaction<Database>, { id }: Child): Promise<void> {
    const child = await lockChild(tx, id)
    // Someone may have retried or deleted it since it was read.
    const still = await leftEmpty(tx).where('audience.id', '=', id).executeTakeFirst()
    if (!child || !still) return
    const { account_id, cnt_type, audience_id, source_id } = child
    const data: Removal = { child_id: id, account_id, cnt_type, audience_id, source_id, until: now() + GIVEN_UP_AFTER }
    await jobs.send(tx, REMOVE, data)
    await tx
      .updateTable('audience')
      .set({ audience_id: null, source_id: null, key: newKey(), next_look_at: null })
      .where('id', '=', id)
      .execute()
    // A retry begins by making the audience again.
    await tx
      .updateTable('push')
      .set({ step: 'create' })
      .where('id', '=', still.push_id)
      .where('step', '!=', 'plan')
      .execute()
  }

  jobs.handle<Removal>(REMOVE, { concurrency: 2 }, async (job) => {
    const { child_id, account_id, cnt_type, audience_id, source_id, until } = job.data
    let left: PlatformFault | null = null
    try {
      const on = { signal: job.signal, sample: () => {} }
      await platformOf(cnt_type).remove(await session(account_id), { audience_id, source_id }, on)
    } catch (error) {
      if (job.signal.aborted || !(error instanceof PlatformFault)) throw error
      if (error.kind !== 'gone') left = error
    }
    if (left && left.kind !== 'inUse' && left.kind !== 'refused' && now() < until) {
      await job.wait(async () => {}, Math.max(left.retryAfter ?? 0, AGAIN_AFTER) * pace, left.outcome)
      return
    }
    const reason = left && sentenceOf(left.outcome)
    await job.finish((tx) =>
      audit(tx, null, left ? 'push.empty_audience_left' : 'push.remove_empty_audience', {
        child_id,
        account_id,
        tag_id: audience_id,
        ...(reason === null ? {} : { reason }),
      }),
    )
  })
}

/** Children whose newest push failed a while ago, with an audience to which no file was handed. */
const leftEmpty = (db: Kysely<Database>) =>
  db
    .selectFrom('audience')
    .innerJoin('push', 'push.child_id', 'audience.id')
    .selectAll('audience')
    .select('push.id as push_id')
    .where('audience.deleted_at', 'is', null)
    .where('audience.audience_id', 'is not', null)
    .where('audience.pushed_version', 'is', null)
    .where('push.status', '=', 'failed')
    .where('push.finished_at', '<=', now() - KEPT_FOR)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('push as newer')
            .select('newer.id')
            .whereRef('newer.child_id', '=', 'audience.id')
            .whereRef('newer.id', '>', 'push.id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('push_part')
            .innerJoin('push as sent', 'sent.id', 'push_part.push_id')
            .select('push_part.no')
            .whereRef('sent.child_id', '=', 'audience.id')
            .where((eb) => eb.or([eb('push_part.receipt', 'is not', null), eb('push_part.round', '>', 0)])),
        ),
      ),
    )
    .orderBy('audience.id')
