import { outcome } from '#contract/outcome.ts'
import { PlatformFault } from '../../platforms/audience-platform.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { isPollDue, keepFailure, POLL_AFTER_FAILURE, writeAudienceState } from './audience-state.ts'
import type { AudienceDeps } from './deps.ts'

const POLL = 'push.look'
const POLL_ACCOUNT = 'push.look-account'
/** Audiences of one account that one job polls; the rest stay due. */
const AT_ONCE = 100

/** Polls live audiences: their coverage changes, they expire, or they are deleted on the platform. */
export function audiencePolling({ db, jobs, platformOf, session, timezone }: AudienceDeps) {
  jobs.handle(POLL, { concurrency: 1, retries: 0 }, async ({ finish }) => {
    const due = await dueChildren().select('account_id').distinct().execute()
    await finish(async (tx) => {
      for (const { account_id } of due) {
        await jobs.send(tx, POLL_ACCOUNT, { account_id }, { singletonKey: `account:${account_id}` })
      }
    })
  })
  jobs.schedule(POLL, '*/5 * * * *', timezone)

  jobs.handle<{ account_id: number }>(POLL_ACCOUNT, { concurrency: 8, retries: 0 }, async (job) => {
    const children = await dueChildren()
      .selectAll()
      .where('account_id', '=', job.data.account_id)
      .orderBy('next_look_at')
      .limit(AT_ONCE)
      .execute()
    const account = await session(job.data.account_id)
    for (const child of children) {
      const platform = platformOf(child.cnt_type)
      const known = { audience_id: child.audience_id, source_id: child.source_id }
      const on = { signal: job.signal, sample: () => {} }
      try {
        const { ref, state } = await platform.readAudience(account, known, on)
        if ((state.pending === 'publish' || state.pending === 'push') && (state.not_before ?? 0) <= now()) {
          await platform.advance(account, ref, on)
        }
        await job.step(async (tx) => {
          await writeAudienceState(tx, child.id, ref, state)
          if (state.status === 'available' || state.status === 'computing') await keepFailure(tx, child.id)
        })
      } catch (error) {
        if (job.signal.aborted || !(error instanceof PlatformFault)) throw error
        if (error.kind === 'gone') {
          await job.step((tx) =>
            tx
              .updateTable('audience')
              .set({
                status: 'failed',
                reason: outcome('audience_gone'),
                looked_at: now(),
                next_look_at: null,
              })
              .where('id', '=', child.id)
              .execute(),
          )
          continue
        }
        // The account's other audiences would fail too: all are tried again later.
        await job.step((tx) =>
          tx
            .updateTable('audience')
            .set({ next_look_at: now() + POLL_AFTER_FAILURE })
            .where('account_id', '=', job.data.account_id)
            .where(isPollDue)
            .execute(),
        )
        return
      }
    }
  })

  const dueChildren = () =>
    db
      .selectFrom('audience')
      .where('deleted_at', 'is', null)
      .where('audience_id', 'is not', null)
      .where(isPollDue)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('push')
              .select('push.id')
              .whereRef('push.child_id', '=', 'audience.id')
              .where('push.status', 'in', ['running', 'paused']),
          ),
        ),
      )

  return { pollNow: () => transaction(db, (tx) => jobs.send(tx, POLL, {}, { singletonKey: 'look' })) }
}
