import type { Kysely } from 'kysely'
import type { PlatformCode } from '#contract/platform.ts'
import type { Secrets } from '../../../config/secrets.ts'
import type { Jobs } from '../../../jobs/open.ts'
import type { PlatformPlans } from '../../../platforms/plan-platform.ts'
import type { ScopedSession } from '../../../platforms/scoped-session.ts'
import type { Database } from '../../../postgres/schema.ts'

export interface ThereDeps {
  db: Kysely<Database>
  jobs: Jobs
  timezone: string
  /** Null for a platform whose plans can be neither read nor changed. */
  plansOf(code: PlatformCode): PlatformPlans | null
  /** Throws PlatformFault for an account without the scopes. */
  session: ScopedSession
  secrets: Pick<Secrets, 'seal' | 'open'>
  /** Multiplies waits; below 1 in fast tests. */
  pace: number
}
