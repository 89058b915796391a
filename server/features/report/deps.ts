import type { Kysely } from 'kysely'
import type { PlatformCode } from '#contract/platform.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { PlatformReports } from '../../platforms/report-platform.ts'
import type { ScopedSession } from '../../platforms/scoped-session.ts'
import type { Database } from '../../postgres/schema.ts'

export interface ReportDeps {
  db: Kysely<Database>
  jobs: Jobs
  load: Handles
  live: Handles['acrossShards']
  timezone: string
  reportsOf(platform: PlatformCode): PlatformReports | null
  session: ScopedSession
  /** Multiplies waits; below 1 in fast tests. */
  pace: number
}
