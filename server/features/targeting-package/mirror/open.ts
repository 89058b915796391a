import type { Transaction } from 'kysely'
import type { Database } from '../../../postgres/schema.ts'
import type { PackageSaves } from '../save.ts'
import { mirrorDecisions } from './decide.ts'
import type { MirrorDeps } from './deps.ts'
import { mirrorJob } from './job.ts'
import type { MirrorQueue } from './queue.ts'
import { mirrorReading } from './reading.ts'

/** Keeps copies of packages on the platforms that store them. */
export function targetingMirror(deps: MirrorDeps, queue: MirrorQueue, write: PackageSaves['write']) {
  mirrorJob(deps)
  const reading = mirrorReading(deps, queue)
  return {
    ...mirrorDecisions(deps, { queue, reading, write }),
    saved: queue.saved,

    /** The account can be used again: what waited for it goes on, and its packages are read. */
    async onAuthorised(tx: Transaction<Database>, account_id: number): Promise<void> {
      const { platform } = await tx
        .selectFrom('platform_account')
        .select('platform')
        .where('id', '=', account_id)
        .executeTakeFirstOrThrow()
      if (deps.packagesOf(platform as never) === null) return
      await tx
        .updateTable('targeting_mirror')
        .set({ state: 'waiting', attempts: 0, outcome: null })
        .where('account_id', '=', account_id)
        .where('state', '=', 'paused')
        .execute()
      await queue.sendRun(tx, account_id)
      await reading.sendRead(tx, account_id)
    },
  }
}
