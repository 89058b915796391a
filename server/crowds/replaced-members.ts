import type { Kysely, Transaction } from 'kysely'
import type { RuleEvaluator } from '../clickhouse/rule/evaluate.ts'
import type { Jobs } from '../jobs/open.ts'
import type { Database } from '../postgres/schema.ts'
import { CROWDS, type CrowdKind } from './kinds.ts'

/** Seconds. Replaced members are kept this long for counts that pinned them. */
const GRACE_SECONDS = 600

/** For each kind, the queue and the payload's key names; both are frozen. */
const DROPS = {
  custom: { queue: 'custom.drop-members', id: 'crowd_id', version: 'members_version' },
  rule: { queue: 'rule-crowd.drop', id: 'people_id', version: 'version' },
} as const

/** Drops the members of a crowd that a newer version replaced. */
export function replacedMembers(
  { db, jobs, evaluator }: { db: Kysely<Database>; jobs: Jobs; evaluator: RuleEvaluator },
  kind: CrowdKind,
) {
  const names = DROPS[kind]

  jobs.handle<Record<string, number>>(names.queue, { concurrency: 1 }, async ({ data }) => {
    const { adv_id = 0, [names.id]: id = 0, [names.version]: version = 0 } = data
    const crowd = await db
      .selectFrom(CROWDS[kind].crowds)
      .select(`${names.version} as inForce`)
      .where('id', '=', id)
      .executeTakeFirst()
    if (crowd?.inForce === version) return
    await evaluator.dropVersions(adv_id, [{ kind: 'crowd', id, version }])
  })

  return async function dropLater(
    tx: Transaction<Database>,
    adv_id: number,
    id: number,
    version: number,
  ): Promise<void> {
    if (version === 0) return
    const payload = { adv_id, [names.id]: id, [names.version]: version }
    await jobs.send(tx, names.queue, payload, { startAfter: GRACE_SECONDS })
  }
}
