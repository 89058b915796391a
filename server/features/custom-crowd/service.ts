import type { Kysely } from 'kysely'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import type { OnVersion } from '../../crowds/kinds.ts'
import type { DropLater } from '../../crowds/replaced-members.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { checkJob } from './check-job.ts'
import { customChecks } from './crowd-checks.ts'
import { findCrowds } from './crowds.ts'
import type { Identifiers, Uploads } from './deps.ts'
import { crowdHistory } from './history.ts'
import { matching } from './match-job.ts'
import { versionOpening } from './open-version.ts'
import { removeCrowds } from './remove-crowds.ts'
import { saveCrowds } from './save-crowds.ts'
import { customSweep } from './sweep.ts'

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  evaluator: RuleEvaluator
  timezone: string
  uploads: Uploads
  identifiers: Identifiers
  onVersion: OnVersion
  onMembers: Parameters<typeof matching>[0]['onMembers']
  dropLater: DropLater
}

/** Everything about uploaded crowds: lists, saving, deletion and the jobs that check them. */
export function customCrowdService(deps: Deps) {
  const { db } = deps
  const checks = customChecks(db)
  const { matchAgain, matchMissed, matchSoon } = matching(deps)
  checkJob({ ...deps, matchMissed })
  return {
    matchAgain,
    ...customSweep(deps),
    ...findCrowds({ db, checks, timezone: deps.timezone }),
    ...crowdHistory({ db, checks, identifiers: deps.identifiers }),
    ...saveCrowds({ checks, openVersion: versionOpening(deps) }),
    ...removeCrowds({ db, checks, matchSoon }),
  }
}
export type CustomCrowdService = ReturnType<typeof customCrowdService>
