import type { Kysely, Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { CROWD_TAG, type RuleNode } from '#contract/rule.ts'
import type { RuleEvaluator, SetVersion } from '../../clickhouse/rule/evaluate.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { noteSize } from '../../crowds/crowd-sizes.ts'
import type { OnVersion } from '../../crowds/kinds.ts'
import type { DropLater } from '../../crowds/replaced-members.ts'
import { AppError } from '../../errors.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { ComputeQueue } from './compute-queue.ts'
import { expiredAmong, referencesOf, setVersionsOf } from './references.ts'
import { expiredReason } from './store.ts'

export interface ComputeDeps {
  db: Kysely<Database>
  jobs: Jobs
  evaluator: RuleEvaluator
  onVersion: OnVersion
  dropLater: DropLater
}

/** What a computation was pinned to when it began. */
export interface Computation {
  people_id: number
  adv_id: number
  rule_id: number
  def: RuleNode
  sets: SetVersion[]
  /** The version of the crowd that it writes. */
  version: number
  /** The time of the data that it counts, epoch seconds. */
  at: number
}

/** Nothing has changed since the computation that begins. */
const UP_TO_DATE = { is_dirty: false, due_at: null, is_behind: false }

/**
 * Pins what is to be computed; null when there is nothing to compute, or it cannot be. The caller holds the lock of the
 * advertiser's crowds.
 */
export async function begin(
  tx: Transaction<Database>,
  queue: ComputeQueue,
  people_id: number,
): Promise<Computation | null> {
  const crowd = await tx
    .selectFrom('people')
    .innerJoin('rule', 'rule.id', 'people.rule_id')
    .select(['people.adv_id', 'people.rule_id', 'people.invalid_time', 'rule.def'])
    .where('people.id', '=', people_id)
    .where('people.deleted_at', 'is', null)
    .forUpdate('people')
    .executeTakeFirst()
  if (!crowd?.def || crowd.invalid_time < now()) return null
  const at = now()
  const { adv_id, rule_id, def } = crowd
  const found = await setsOf(tx, adv_id, def, at)
  if (found === 'waits') {
    // The history crowd's own computation marks this one again when it has a result or fails.
    await tx.updateTable('people').set(UP_TO_DATE).where('id', '=', people_id).execute()
    return null
  }
  if ('why' in found) {
    await tx
      .updateTable('people')
      .set({ fail_reason: found.why, ...UP_TO_DATE })
      .where('id', '=', people_id)
      .execute()
    await queue.recomputeWaiting(tx, people_id)
    return null
  }
  const { compute_seq } = await tx
    .updateTable('people')
    .set((eb) => ({ compute_seq: eb('compute_seq', '+', 1), ...UP_TO_DATE }))
    .where('id', '=', people_id)
    .returning('compute_seq')
    .executeTakeFirstOrThrow()
  return { people_id, adv_id, rule_id, def, sets: found.sets, version: compute_seq, at }
}

/**
 * Brings the version into force and returns the one it replaced; a result that came too late replaces none. The caller
 * holds the lock of the advertiser's crowds.
 */
export async function end(
  tx: Transaction<Database>,
  { onVersion, dropLater }: Pick<ComputeDeps, 'onVersion' | 'dropLater'>,
  { people_id, adv_id, version, rule_id, at }: Computation,
  result: { magnitude: number; took_ms: number },
): Promise<number> {
  const old = await tx
    .selectFrom('people')
    .select(['version', 'compute_seq', 'rule_id'])
    .where('id', '=', people_id)
    .forUpdate()
    .executeTakeFirst()
  // A newer computation, another rule or a purge came in between.
  if (!old || old.compute_seq !== version || old.rule_id !== rule_id) {
    await dropLater(tx, adv_id, [{ id: people_id, version }])
    return version
  }
  await tx
    .updateTable('people')
    .set({ version, ...result, computed_at: at, fail_reason: null, rule_changed: false })
    .where('id', '=', people_id)
    .execute()
  await noteSize(tx, { crowd_id: people_id, version, count: result.magnitude, counted_at: at })
  await onVersion(tx, { kind: 'rule', id: people_id, version })
  return old.version
}

/** The sets that a rule is computed from, or why it cannot be; `waits` for a history crowd's first result. */
async function setsOf(
  tx: Transaction<Database>,
  adv_id: number,
  def: RuleNode,
  at: number,
): Promise<{ sets: SetVersion[] } | { why: AnyOutcome } | 'waits'> {
  try {
    const references = await referencesOf(tx, adv_id, def)
    const expired = expiredAmong(references, at)
    if (expired) return { why: expiredReason(expired.name) }
    const waitsFor = references.find((r) => r.tag_type === CROWD_TAG && r.version === 0)
    if (!waitsFor) return { sets: setVersionsOf(references) }
    const other = await tx.selectFrom('people').select('fail_reason').where('id', '=', waitsFor.id).executeTakeFirst()
    if (!other?.fail_reason) return 'waits'
    return { why: outcome('history_crowd_failed', { name: waitsFor.name, cause: other.fail_reason }) }
  } catch (error) {
    // A retry changes nothing: a tag that is still being built sends the computation again when it is ready.
    if (!(error instanceof AppError)) throw error
    return { why: error.outcome }
  }
}

/** Takes the lock of the crowds of this crowd's advertiser. */
export async function lockCrowdsOf(tx: Transaction<Database>, people_id: number): Promise<void> {
  const crowd = await tx.selectFrom('people').select('adv_id').where('id', '=', people_id).executeTakeFirst()
  if (crowd) await lockCrowds(tx, crowd.adv_id)
}
