import type { Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { platformInfo } from '#contract/platform.ts'
import type { RunningJob } from '../../../jobs/kind.ts'
import type { PlatformFault } from '../../../platforms/audience-platform.ts'
import { secondsUntilRetry } from '../../../platforms/try-later.ts'
import { audit } from '../../../postgres/audit.ts'
import type { Database } from '../../../postgres/schema.ts'
import { now } from '../../../time/clock.ts'
import { namesIn } from '../checks.ts'
import { freeCopyName } from '../names.ts'
import type { MirrorDeps } from './deps.ts'
import { type MirrorRow, setMirror } from './rows.ts'

/** Consecutive failures of a package after which it is 同步失败. */
const FAILURES_MAX = 30

/** Handles a platform's refusal or silence. `over`: the job waits in its queue, or has nothing more to do. */
export function mirrorFaults({ db, pace }: MirrorDeps) {
  async function account(account_id: number) {
    const { name, platform } = await db
      .selectFrom('platform_account')
      .select(['name', 'platform'])
      .where('id', '=', account_id)
      .executeTakeFirstOrThrow()
    return { account: name, platform: platformInfo(platform as MirrorRow['platform']).name }
  }

  /** All of the account's packages wait for a new authorisation; one that came meanwhile starts them again. */
  async function pause(job: RunningJob<object>, row: MirrorRow, since: number, fault: PlatformFault) {
    const reason = outcome('targeting_waits_for_authorisation', { cause: fault.outcome })
    const isAuthorised = await job.step(async (tx) => {
      const { authorised_at } = await tx
        .selectFrom('platform_account')
        .select('authorised_at')
        .where('id', '=', row.account_id)
        .forShare()
        .executeTakeFirstOrThrow()
      if ((authorised_at ?? 0) >= since) return true
      await tx
        .updateTable('targeting_mirror')
        .set({ state: 'paused', outcome: reason })
        .where('account_id', '=', row.account_id)
        .where('state', '=', 'waiting')
        .execute()
      return false
    })
    // That authorisation did not know these packages as paused.
    if (isAuthorised) await job.wait(async () => {}, 1, reason)
    return 'over' as const
  }

  /** Waits longer after each failure in a row; null when it has been too many. */
  async function tryLater(job: RunningJob<object>, row: MirrorRow, fault: PlatformFault): Promise<boolean> {
    const attempts = row.attempts + 1
    if (attempts > FAILURES_MAX) return false
    const seconds = secondsUntilRetry(fault, attempts, pace)
    const reason = outcome('targeting_tries_again', { at: now() + seconds, cause: fault.outcome })
    await job.wait((tx) => setMirror(tx, row.id, { attempts, outcome: reason }), seconds, reason)
    return true
  }

  return async (
    job: RunningJob<object>,
    row: MirrorRow,
    since: number,
    fault: PlatformFault,
  ): Promise<'again' | 'over'> => {
    if (fault.kind === 'unauthorised') return pause(job, row, since, fault)
    if (fault.kind === 'later' || fault.kind === 'notYet') {
      if (await tryLater(job, row, fault)) return 'over'
    }
    const reason =
      fault.kind === 'quota' ? outcome('targeting_quota_full', await account(row.account_id)) : fault.outcome
    await job.step((tx) => endFailed(tx, row, reason))
    return 'again'
  }
}

/** A package is 同步失败. One that was deleted here and stays there is listed again. */
export async function endFailed(tx: Transaction<Database>, row: MirrorRow, reason: AnyOutcome): Promise<void> {
  if (row.deleted_at === null) {
    await setMirror(tx, row.id, { state: 'failed', outcome: reason, attempts: 0 })
    return
  }
  const taken = await namesIn(tx, row)
  const name = taken.has(row.name) ? freeCopyName(row.name, taken) : row.name
  await tx.updateTable('targeting_package').set({ deleted_at: null, name }).where('id', '=', row.id).execute()
  const kept = outcome('targeting_deletion_refused', { cause: reason })
  await setMirror(tx, row.id, { state: 'failed', outcome: kept, attempts: 0 })
  await audit(tx, null, 'targeting.deletion_refused', { id: row.id, adv_id: row.adv_id, name, outcome: reason })
}
