import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely'
import { RESTORE_SECONDS } from '#contract/deleted.ts'
import type { Jobs } from '../jobs/open.ts'
import { notAfterNow } from '../postgres/not-after-now.ts'
import type { Database } from '../postgres/schema.ts'
import { transaction } from '../postgres/transaction.ts'
import { now } from '../time/clock.ts'
import { CROWDS, type CrowdKind } from './kinds.ts'

/** Crowds are purged this many seconds after they can no longer be restored, so a restore begun in time has ended. */
const MARGIN_SECONDS = 300
/** Crowds that one run purges; the rest stay due. */
const AT_ONCE = 500

/**
 * For each kind, its scheduled job, whose name is frozen, and which deleted crowds are not purged yet. Older versions
 * sent a `custom.drop` for each deleted crowd.
 */
const KINDS = {
  custom: {
    queue: 'custom.drop',
    isLeft: sql<SqlBool>`exists (select from custom_version where custom_version.crowd_id = custom_crowd.id)`,
  },
  rule: { queue: 'rule-crowd.sweep', isLeft: sql<SqlBool>`true` },
} as const

interface DeletedCrowd {
  id: number
  adv_id: number
}

interface Options {
  /** Deletes what a crowd has in the warehouse and in files. It may be called again after a crash. */
  dropData(crowd: DeletedCrowd): Promise<void>
  /** Deletes the crowd's rows, so that it is not found again. */
  dropRows(tx: Transaction<Database>, id: number): Promise<unknown>
  /** The rest of the scheduled job. */
  also?(): Promise<unknown>
}

/** Removes what is left of deleted crowds once they can no longer be restored. */
export function crowdPurge(
  { db, jobs }: { db: Kysely<Database>; jobs: Jobs },
  kind: CrowdKind,
  { dropData, dropRows, also }: Options,
) {
  const { crowds } = CROWDS[kind]
  const { queue, isLeft } = KINDS[kind]

  const due = (tx: Kysely<Database>) =>
    tx
      .selectFrom(crowds)
      .select(['id', 'adv_id'])
      .where('deleted_at', '<', now() - RESTORE_SECONDS - MARGIN_SECONDS)
      .where(isLeft)
      .orderBy('id')

  async function purge(): Promise<void> {
    await notAfterNow(db, crowds, 'deleted_at')
    for (const crowd of await due(db).limit(AT_ONCE).execute()) {
      await dropData(crowd)
      await transaction(db, async (tx) => {
        const still = await due(tx).where('id', '=', crowd.id).forUpdate().executeTakeFirst()
        if (still) await dropRows(tx, crowd.id)
      })
    }
  }

  jobs.handle(queue, { concurrency: 1 }, async () => {
    await also?.()
    await purge()
  })
  jobs.schedule(queue, '*/10 * * * *', 'UTC')
  return purge
}
