import type { Kysely } from 'kysely'
import type { PlatformCode } from '#contract/platform.ts'
import type { Jobs } from '../../../jobs/open.ts'
import type { ScopedSession } from '../../../platforms/scoped-session.ts'
import type { TargetingPackages } from '../../../platforms/targeting-platform.ts'
import type { Database } from '../../../postgres/schema.ts'

export interface MirrorDeps {
  db: Kysely<Database>
  jobs: Jobs
  timezone: string
  /** Null for a platform whose packages can be neither read nor written; ours are only kept here. */
  packagesOf(code: PlatformCode): TargetingPackages | null
  /** Throws PlatformFault for an account without the scopes. */
  session: ScopedSession
  /** Multiplies waits; below 1 in fast tests. */
  pace: number
}
