import type { Kysely } from 'kysely'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import type { Database } from '../../postgres/schema.ts'
import { crowdChanges } from './changes.ts'
import { crowdOverlap } from './overlap.ts'
import { crowdProfile } from './profile.ts'
import { crowdSizes } from './sizes.ts'

/** What the people of crowds have, how crowds overlap, and how they changed. */
export const crowdProfileService = (deps: { db: Kysely<Database>; evaluator: RuleEvaluator; timezone: string }) => ({
  profile: crowdProfile(deps),
  overlap: crowdOverlap(deps),
  sizes: crowdSizes(deps),
  changes: crowdChanges(deps),
})
export type CrowdProfileService = ReturnType<typeof crowdProfileService>
