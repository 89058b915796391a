import type { Kysely, Transaction } from 'kysely'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import type { TargetingEstimateService } from './service.ts'

const RUN = 'targeting.estimate'
/** Packages estimated at once; the calls of an account wait for one another. */
const CONCURRENCY = 4
const RETRIES = 2
const RETRY_S = 30

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  estimates: Pick<TargetingEstimateService, 'ofSaved'>
}

/** Estimates packages that were saved before their reach was known: by somebody in a hurry, as a copy, by a call. */
export function estimatesOfSaved({ db, jobs, estimates }: Deps) {
  const end = async (tx: Transaction<Database>, id: number): Promise<void> => {
    await tx.updateTable('targeting_package').set({ is_estimating: false }).where('id', '=', id).execute()
  }

  jobs.handle<{ id: number }>(
    RUN,
    {
      concurrency: CONCURRENCY,
      retries: RETRIES,
      retryDelaySeconds: RETRY_S,
      failed: (tx, { data }) => end(tx, data.id),
    },
    async ({ data: { id }, signal }) => {
      const row = await db
        .selectFrom('targeting_package')
        .select(['account_id', 'targeting', 'ver'])
        .where('id', '=', id)
        .where('is_estimating', '=', true)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!row) return
      const answer = await estimates.ofSaved(row.account_id, row.targeting, signal)
      const { approximate_count: user_count = null, counted_at } = answer ?? {}
      await db
        .updateTable('targeting_package')
        .set({ is_estimating: false, ...(user_count !== null && { user_count, counted_at }) })
        .where('id', '=', id)
        .where('is_estimating', '=', true)
        // A newer save has sent a job of its own.
        .where('ver', '=', row.ver)
        .execute()
    },
  )

  /** A package was saved; nothing is asked where its reach is known. */
  return async (tx: Transaction<Database>, id: number): Promise<void> => {
    const { is_estimating } = await tx
      .selectFrom('targeting_package')
      .select('is_estimating')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (is_estimating) await jobs.send(tx, RUN, { id })
  }
}
