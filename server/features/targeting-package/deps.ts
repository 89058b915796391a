import type { Kysely, Transaction } from 'kysely'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import type { Database } from '../../postgres/schema.ts'

export interface PackageDeps {
  db: Kysely<Database>
  timezone: string
  /** A package was saved, of which the platform is asked how many people it reaches where that is not known. */
  estimate(tx: Transaction<Database>, id: number): Promise<void>
  /**
   * The crowds of an account as its platform lists them, or the last copy with the reason why it is not newer. Throws
   * PlatformFault. `anew`: not a copy of some minutes ago.
   */
  crowdList(
    account_id: number,
    how?: { anew: boolean },
  ): Promise<{ content: CrowdRow[]; read_at: number; fail_outcome: AnyOutcome | null }>
}
