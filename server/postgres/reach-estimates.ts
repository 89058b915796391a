import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { canonicalTargeting } from '#contract/targeting/canonical.ts'
import type { EstimateGoals } from '#contract/targeting/estimate-goals.ts'
import type { Database } from './schema.ts'
import type { StoredTargeting } from './schema-targeting.ts'

/** The same for two targetings that restrict the same. */
export const reachHash = (targeting: object, goals: EstimateGoals | null): string =>
  createHash('sha256')
    .update(`${canonicalTargeting(targeting)}\n${JSON.stringify(goals)}`)
    .digest('base64url')

/** The last estimate of a targeting in an account, as a package that is saved keeps it; null where it was never estimated. */
export async function lastEstimate(db: Kysely<Database>, account_id: number, targeting: StoredTargeting) {
  const { estimate_goals } = await db
    .selectFrom('platform_account')
    .select('estimate_goals')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  const found = await db
    .selectFrom('reach_estimate')
    .select(['count', 'at'])
    .where('account_id', '=', account_id)
    .where('hash', '=', reachHash(targeting, estimate_goals))
    .executeTakeFirst()
  return { user_count: found?.count ?? null, counted_at: found?.at ?? null }
}
