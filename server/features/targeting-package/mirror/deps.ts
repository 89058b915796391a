import type { Kysely } from 'kysely'
import type { PlatformCode } from '#contract/platform.ts'
import type { Jobs } from '../../../jobs/open.ts'
import type { AccountSession } from '../../../platforms/audience-platform.ts'
import type { TargetingPackages } from '../../../platforms/targeting-platform.ts'
import type { Database } from '../../../postgres/schema.ts'

export interface MirrorDeps {
  db: Kysely<Database>
  jobs: Jobs
  timezone: string
  /** Null for a platform that stores no packages; those are only kept here. */
  packagesOf(code: PlatformCode): TargetingPackages | null
  /** Throws PlatformFault for an account without the scope of packages. */
  session(account_id: number): Promise<AccountSession>
  /** Multiplies waits; below 1 in fast tests. */
  pace: number
}
