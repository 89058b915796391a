import type { Kysely, Transaction } from 'kysely'
import type { PlatformCode } from '#contract/platform.ts'
import type { ReportMark } from '#contract/report.ts'
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
  /** Asks for the plans of accounts to be read on their platforms, too. */
  readPlans(tx: Transaction<Database>, account_ids: readonly number[]): Promise<void>
  /** Tells the advertiser's webhooks of odd days. */
  notify(
    tx: Transaction<Database>,
    found: { adv_id: number; campaign_id: number; campaign: string; marks: Pick<ReportMark, 'date' | 'mark'>[] },
  ): Promise<void>
  /** Multiplies waits; below 1 in fast tests. */
  pace: number
}
