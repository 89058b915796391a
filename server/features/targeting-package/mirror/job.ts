import { outcome } from '#contract/outcome.ts'
import type { PlatformCode } from '#contract/platform.ts'
import type { RunningJob } from '../../../jobs/kind.ts'
import { PlatformFault } from '../../../platforms/audience-platform.ts'
import { now } from '../../../time/clock.ts'
import type { MirrorDeps } from './deps.ts'
import { endFailed, mirrorFaults } from './faults.ts'
import { RUN } from './queue.ts'
import { mirroredRows, setMirror } from './rows.ts'
import { mirrorOne } from './steps.ts'

/** Accounts whose packages are brought to their platforms at once; most of the time they wait for an answer. */
const CONCURRENCY = 12

/** Brings an account's packages to its platform, one after the other. */
export function mirrorJob(deps: MirrorDeps): void {
  const { db, jobs, packagesOf, session } = deps
  const onFault = mirrorFaults(deps)

  /** One that keeps failing stands behind the others. */
  const nextOf = (account_id: number) =>
    mirroredRows(db, account_id)
      .where('mirror.state', '=', 'waiting')
      .orderBy('mirror.attempts')
      .orderBy('package.id')
      .limit(1)
      .executeTakeFirst()

  async function run(job: RunningJob<{ account_id: number }>): Promise<void> {
    const { account_id } = job.data
    const account = await db
      .selectFrom('platform_account')
      .select('platform')
      .where('id', '=', account_id)
      .executeTakeFirst()
    const packages = account ? packagesOf(account.platform as PlatformCode) : null
    if (!packages?.writing) return
    const { scopes, writing } = packages
    for (;;) {
      job.signal.throwIfAborted()
      const row = await nextOf(account_id)
      if (!row) return
      const since = now()
      try {
        await mirrorOne(job, { row, packages, writing, session: await session(account_id, scopes) })
      } catch (error) {
        if (job.signal.aborted || !(error instanceof PlatformFault)) throw error
        if (error.kind === 'gone' && row.deleted_at === null && row.targeting_id !== null) {
          const gone = outcome('targeting_gone_there')
          await job.step((tx) => setMirror(tx, row.id, { state: 'gone', outcome: gone, attempts: 0, found: null }))
          continue
        }
        if ((await onFault(job, row, since, error)) === 'over') return
      }
    }
  }

  jobs.handle<{ account_id: number }>(
    RUN,
    {
      concurrency: CONCURRENCY,
      retries: 4,
      retryDelaySeconds: 5,
      async failed(tx, { data }, why) {
        const rows = await mirroredRows(tx, data.account_id).where('mirror.state', '=', 'waiting').execute()
        for (const row of rows) await endFailed(tx, row, why)
      },
    },
    run,
  )
}
