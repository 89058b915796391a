import type { Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { platformInfo } from '#contract/platform.ts'
import { AppError } from '../../errors.ts'
import { type AudienceRef, PlatformFault } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { Child } from './child.ts'
import type { AudienceDeps } from './deps.ts'

const REMOVE_LATE = 'push.unheard'
const PATIENCE_MS = 20_000
/** Seconds. A platform that reads files first shows the audience 20 to 60 minutes after it got them. */
const SEARCH_FOR = 3 * 3600
const SEARCH_EVERY = 300

export type PlatformChild = Pick<Child, 'id' | 'name' | 'platform_name' | 'key' | 'cnt_type' | 'account_id'> &
  AudienceRef

interface LateRemoval {
  child_id: number
  /** What finds it on the platform: its row may be purged before the search ends. Jobs of older versions have none. */
  child?: PlatformChild
  until: number
}

/** Whether the platform has told us an id. */
export const hasPlatformId = (child: AudienceRef) => child.audience_id !== null || child.source_id !== null

/** Deletes an audience on its platform. It may be called again after a crash. */
export function platformRemoval({ db, jobs, platformOf, session, pace }: AudienceDeps) {
  const wantedOf = (child: PlatformChild) => ({ key: child.key, name: child.platform_name })

  /** Whether the platform has an audience, or may have one because a push ended before the answer to its creation came. */
  async function mayBeThere(child: Pick<Child, 'id'> & AudienceRef): Promise<boolean> {
    if (hasPlatformId(child)) return true
    const push = await db
      .selectFrom('push')
      .select('id')
      .where('child_id', '=', child.id)
      .where('step', '=', 'create')
      .executeTakeFirst()
    return push !== undefined
  }

  /** Answers `unknown` where the platform may show the audience only later. */
  async function remove(child: PlatformChild): Promise<'gone' | 'unknown'> {
    if (!(await mayBeThere(child))) return 'gone'
    const platform = platformOf(child.cnt_type)
    const refusal = (reason: AnyOutcome) =>
      new AppError('platformRefused', { platform: platformInfo(child.cnt_type).name, reason })
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      const account = await session(child.account_id)
      const on = { signal, sample: () => {} }
      const known = { audience_id: child.audience_id, source_id: child.source_id }
      const ref = hasPlatformId(child) ? known : await platform.findAudience(account, wantedOf(child), on)
      if (!ref) return platform.order === 'data-first' ? 'unknown' : 'gone'
      await platform.remove(account, ref, on)
      return 'gone'
    } catch (error) {
      if (signal.aborted) throw refusal(outcome('platform_removal_timed_out'))
      if (!(error instanceof PlatformFault)) throw error
      if (error.kind === 'gone') return 'gone'
      if (error.kind === 'inUse') throw new AppError('audienceInUse', { tag: child.audience_id ?? child.name })
      if (error.kind === 'unauthorised')
        throw refusal(outcome('platform_removal_unauthorised', { cause: error.outcome }))
      throw refusal(error.outcome)
    }
  }

  jobs.handle<LateRemoval>(REMOVE_LATE, { concurrency: 2, retries: 0 }, async (job) => {
    const { child_id, until } = job.data
    const child =
      job.data.child ?? (await db.selectFrom('audience').selectAll().where('id', '=', child_id).executeTakeFirst())
    if (!child) return
    const platform = platformOf(child.cnt_type)
    const on = { signal: job.signal, sample: () => {} }
    try {
      const account = await session(child.account_id)
      const ref = await platform.findAudience(account, wantedOf(child), on)
      if (ref) return await platform.remove(account, ref, on)
    } catch (error) {
      if (job.signal.aborted || !(error instanceof PlatformFault)) throw error
      if (error.kind === 'gone') return
    }
    if (now() < until) await job.wait(async () => {}, SEARCH_EVERY * pace, null)
  })

  return {
    mayBeThere,
    remove,

    /** Keeps looking for an audience that the platform does not show yet, and deletes it when it appears. */
    async removeLater(tx: Transaction<Database>, child: PlatformChild): Promise<void> {
      const { id, name, platform_name, key, cnt_type, account_id } = child
      const wanted = { id, name, platform_name, key, cnt_type, account_id, audience_id: null, source_id: null }
      const data: LateRemoval = { child_id: id, child: wanted, until: now() + SEARCH_FOR }
      await jobs.send(tx, REMOVE_LATE, data, { startAfter: Math.ceil(SEARCH_EVERY * pace) })
    },
  }
}
