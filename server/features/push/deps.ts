import type { Kysely, Transaction } from 'kysely'
import type { CntType } from '#contract/audience.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import type { Secrets } from '../../config/secrets.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { AccountSession, AudiencePlatform } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import type { CustomValues } from './source.ts'

/** A push that stopped, as webhooks report it. */
export interface StoppedPush {
  adv_id: number
  push_id: number
  kind: 'failed' | 'paused'
  crowd: string
  account: string
  reason: AnyOutcome
  /** A path of the console. */
  link: string
}

export interface PushDeps {
  db: Kysely<Database>
  engine: Handles
  jobs: Jobs
  timezone: string
  /** The key that encrypts plain identifiers, stored and sent ones. */
  personKey: Buffer
  secrets: Secrets
  customValues: CustomValues
  platformOf(code: CntType): AudiencePlatform
  session(account_id: number): Promise<AccountSession> | AccountSession
  /** Multiplies every pause between two attempts or polls; 1 outside of tests. */
  pace: number
  notify(tx: Transaction<Database>, push: StoppedPush): Promise<void>
}
