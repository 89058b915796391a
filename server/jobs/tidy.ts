import { type Kysely, sql } from 'kysely'
import type { Database } from '../postgres/schema.ts'
import { now } from '../time/clock.ts'
import type { Jobs } from './open.ts'

const TIDY = 'records.tidy'
const DAY_S = 86_400
/** Audit rows are kept for more than a year, so that questions about last year can still be answered. */
export const AUDIT_DAYS = 400
/** A dictionary that nobody opened for so long is read anew. */
const COPY_DAYS = 30
/** An estimate serves for minutes, and as the figure of a package that is saved. */
const ESTIMATE_DAYS = 2
const BATCH = 5000

/** Deletes rows every night that nothing reads any more and that would accumulate. */
export function nightlyTidy({ db, jobs, timezone }: { db: Kysely<Database>; jobs: Jobs; timezone: string }) {
  jobs.handle(TIDY, { concurrency: 1 }, async ({ signal }) => {
    await inBatches('audit', 'id', 'at', now() - AUDIT_DAYS * DAY_S, signal)
    await inBatches('session', 'id', 'expires_at', now(), signal)
    await inBatches('dictionary_copy', 'key', 'used_at', now() - COPY_DAYS * DAY_S, signal)
    await inBatches('reach_estimate', 'hash', 'at', now() - ESTIMATE_DAYS * DAY_S, signal)
    await inBatches('sign_in_attempt', 'key', 'greatest(until, first_at)', now() - DAY_S, signal)
  })
  jobs.schedule(TIDY, '40 3 * * *', timezone)

  /** Batches in statements of their own, so that deleting a year of rows blocks nobody. */
  async function inBatches(table: string, key: string, time: string, before: number, signal: AbortSignal) {
    const [name, id, when] = [sql.table(table), sql.ref(key), sql.raw(time)]
    for (;;) {
      signal.throwIfAborted()
      const { numAffectedRows } = await sql`
        delete from ${name} where ${id} in (select ${id} from ${name} where ${when} < ${before} limit ${BATCH})`.execute(
        db,
      )
      if ((numAffectedRows ?? 0n) < BATCH) return
    }
  }
}
