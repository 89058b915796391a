import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { AudienceRef, AudienceState } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

/** Seconds until the next poll: of an audience that is ready, and of one that is being computed. */
const POLL_EVERY = 6 * 3600
const POLL_WHILE_COMPUTING = 300
/** Seconds until the next poll after one that failed. */
export const POLL_AFTER_FAILURE = 1800

/** A poll planned beyond the longest interval was planned before the clock was set back. */
export const isPollDue = (eb: ExpressionBuilder<Database, 'audience'>) =>
  eb.or([eb('next_look_at', '<=', now()), eb('next_look_at', '>', now() + POLL_EVERY)])

/** Stores what the platform says of an audience; returns how many of the sent values it accepted. */
export async function writeAudienceState(
  tx: Kysely<Database>,
  child_id: number,
  ref: AudienceRef,
  state: AudienceState,
  pace = 1,
): Promise<{ accepted: number | null }> {
  return tx
    .updateTable('audience')
    .set({
      audience_id: ref.audience_id,
      source_id: ref.source_id,
      status: state.status,
      reason: state.reason,
      // Some platforms report only each part's count: the sum is taken here.
      accepted:
        state.accepted ??
        sql<number | null>`(
        select case when count(part.accepted) = 0 then null
          else greatest(0, sum(case when part.op = 'add' then part.accepted else -part.accepted end))::bigint end
        from push_part part join push on push.id = part.push_id
        where push.child_id = audience.id and push.plan_id > audience.void_plan and part.status = 'done')`,
      covered: state.covered,
      looked_at: now(),
      next_look_at: Math.ceil(now() + (state.status === 'computing' ? POLL_WHILE_COMPUTING : POLL_EVERY) * pace),
    })
    .where('id', '=', child_id)
    .returning('accepted')
    .executeTakeFirstOrThrow()
}

/** Keeps the reason of a failed push until the next successful one: the platform does not know of it. */
export async function keepFailure(tx: Kysely<Database>, child_id: number): Promise<void> {
  await sql`
    update audience set
      reason = coalesce(audience.reason, last.reason),
      status = case when audience.pushed_version is null then 'failed' else audience.status end
    from (select status, reason, version from push where child_id = ${child_id} order by id desc limit 1) last
    where audience.id = ${child_id} and last.status = 'failed'
      and (audience.pushed_version is null or last.version > audience.pushed_version)`.execute(tx)
}
