import type { Kysely, Transaction } from 'kysely'
import type { CntType } from '#contract/audience.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { AccountSession, AudiencePlatform } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'

export interface AudienceDeps {
  db: Kysely<Database>
  jobs: Jobs
  timezone: string
  platformOf(code: CntType): AudiencePlatform
  session(account_id: number): Promise<AccountSession> | AccountSession
  /** Multiplies every pause between two attempts; 1 outside of tests. */
  pace: number
  /** Called in the transaction that removes a child. */
  onRemoved(tx: Transaction<Database>, child_id: number): Promise<void>
}
