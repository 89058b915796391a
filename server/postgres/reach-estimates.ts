import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { EstimateGoals } from '#contract/targeting/estimate-goals.ts'
import type { Database } from './schema.ts'
import type { StoredTargeting } from './schema-targeting.ts'

/** What is kept of a choice to show it; the ids of creators stand in lists of their own too. */
const SHOWN_ONLY = new Set([
  'name',
  'retargeting_tags_include_local',
  'retargeting_tags_exclude_local',
  'user_aweme_fan',
  'custom_audience_local',
  'excluded_custom_audience_local',
])

/** The same for two targetings that say the same, in whatever order their fields stand. */
export function reachHash(targeting: object, goals: EstimateGoals | null): string {
  const text = JSON.stringify(targeting, (key, one: unknown) => {
    if (SHOWN_ONLY.has(key)) return undefined
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
  return createHash('sha256')
    .update(`${text}\n${JSON.stringify(goals)}`)
    .digest('base64url')
}

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
