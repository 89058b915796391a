import type { Transaction } from 'kysely'
import type { Handles } from '../../clickhouse/handles.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import type { Secrets } from '../../config/secrets.ts'
import type { IdentifierStore } from '../../identifiers/identifiers.ts'
import type { RemovedValue } from '../../identifiers/removed-values.ts'
import type { Forgotten, TombstoneTokens } from '../../identifiers/tombstones.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Postgres } from '../../postgres/open.ts'
import type { Database } from '../../postgres/schema.ts'
import type { SharedFiles } from '../../storage/shared-files.ts'
import type { TombstoneFiles } from './tombstone-files.ts'

/** An audience that holds, or may hold, values of forgotten people. */
interface Holding {
  child_id: number
  account_id: number
  values: RemovedValue[]
}

/** Forgotten people in what pushes keep. */
interface Pushed {
  holdings(adv_id: number, forgotten: Forgotten): Promise<Holding[]>
  count(adv_id: number, forgotten: Forgotten): Promise<number>
  erase(adv_id: number, forgotten: Forgotten): Promise<number>
  /** Has the values removed from an audience. */
  remove(tx: Transaction<Database>, forget_account_id: number, viewer_id: number | null): Promise<void>
}

export interface ForgetDeps {
  db: Postgres['db']
  load: Handles
  jobs: Jobs
  secrets: Secrets
  tokens: TombstoneTokens
  personKey: Buffer
  dataDir: string
  /** Tombstones in files. */
  marked: TombstoneFiles
  shared: SharedFiles
  /** Files of uploaded crowds' malformed lines. */
  malformed: Pick<IdentifierStore, 'malformedFiles'>
  evaluator: Pick<RuleEvaluator, 'forget'>
  pushed: Pushed
  /** Multiplies the time between two searches; 1 outside of tests. */
  pace: number
  /** Runs `work` while no import of the advertiser is under way or half-way. */
  whileImportsRest<T>(job: RunningJob<object>, adv_id: number, work: () => Promise<T>): Promise<T>
  /** Forgets values of attributes that only the person had, and has what was being computed computed again. */
  onRowsGone(
    gone: { adv_id: number; attributes: readonly string[]; began: number },
    job: RunningJob<object>,
  ): Promise<void>
  /** Has crowds and tags computed whose computation was under way. */
  onSetsChanged(tx: Transaction<Database>, adv_id: number): Promise<void>
}
