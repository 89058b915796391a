import type { Kysely, Transaction } from 'kysely'
import type { RuleEvaluator } from '../clickhouse/rule/evaluate.ts'
import type { Jobs } from '../jobs/open.ts'
import type { Database } from '../postgres/schema.ts'
import { transaction } from '../postgres/transaction.ts'
import { CROWDS, type CrowdKind } from './kinds.ts'
import { HOLD_SECONDS, heldVersions } from './member-holds.ts'

/** Seconds. Members that are to be dropped are kept this long for counts that pinned them. */
const GRACE_SECONDS = 600

/** For each kind, the queue, where the version in force is stored, and the names in the jobs of earlier versions. */
const DROPS = {
  custom: { queue: 'custom.drop-members', id: 'crowd_id', version: 'members_version' },
  rule: { queue: 'rule-crowd.drop', id: 'people_id', version: 'version' },
} as const

interface Dropped {
  id: number
  version: number
}
/** Earlier versions sent a job for each crowd, with the names of `DROPS`. */
type Payload = { adv_id: number; dropped: Dropped[] } | Record<string, number>

/** Drops these versions of an advertiser's crowds after the grace period; 0 is none. */
export type DropLater = (tx: Transaction<Database>, adv_id: number, versions: readonly Dropped[]) => Promise<void>

/** Drops the members of versions that are not in force, once nobody holds them. */
export function replacedMembers(
  { db, jobs, evaluator }: { db: Kysely<Database>; jobs: Jobs; evaluator: RuleEvaluator },
  kind: CrowdKind,
): DropLater {
  const names = DROPS[kind]
  const droppedIn = (data: Payload): Dropped[] =>
    Array.isArray(data.dropped)
      ? data.dropped
      : 'dropped' in data
        ? []
        : [{ id: data[names.id] ?? 0, version: data[names.version] ?? 0 }]

  jobs.handle<Payload>(names.queue, { concurrency: 1 }, async ({ data }) => {
    const dropped = droppedIn(data)
    const crowds = await db
      .selectFrom(CROWDS[kind].crowds)
      .select(['id', `${names.version} as inForce`])
      .where(
        'id',
        'in',
        dropped.map((one) => one.id),
      )
      .execute()
    const inForce = new Map(crowds.map((crowd) => [crowd.id, crowd.inForce]))
    const adv_id = Number(data.adv_id)
    const replaced = dropped
      .filter(({ id, version }) => inForce.get(id) !== version)
      .map(({ id, version }) => ({ kind: 'crowd' as const, id, version }))
    const isHeld = await heldVersions(db, adv_id)
    const held = replaced.filter(isHeld).map(({ id, version }) => ({ id, version }))
    if (held.length > 0) {
      await transaction(db, (tx) => jobs.send(tx, names.queue, { adv_id, dropped: held }, { startAfter: HOLD_SECONDS }))
    }
    await evaluator.dropVersions(
      adv_id,
      replaced.filter((set) => !isHeld(set)),
    )
  })

  return async (tx, adv_id, versions) => {
    const dropped = versions.filter(({ version }) => version > 0)
    if (dropped.length > 0) await jobs.send(tx, names.queue, { adv_id, dropped }, { startAfter: GRACE_SECONDS })
  }
}
