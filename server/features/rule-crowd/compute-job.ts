import type { Kysely, Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { CROWD_TAG, type RuleNode } from '#contract/rule.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import type { OnVersion } from '../../crowds/kinds.ts'
import { replacedMembers } from '../../crowds/replaced-members.ts'
import { AppError } from '../../errors.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { COMPUTE, type ComputeQueue } from './compute-queue.ts'
import { expiredAmong, referencesOf, setVersionsOf } from './references.ts'
import { expiredReason } from './store.ts'

export interface ComputeDeps {
  db: Kysely<Database>
  jobs: Jobs
  evaluator: RuleEvaluator
  onVersion: OnVersion
}

type Work = NonNullable<Awaited<ReturnType<typeof begin>>>

/** Computes the members of a crowd in a version of its own, which then replaces the one in force. */
export function computeJob({ db, jobs, evaluator, onVersion }: ComputeDeps, queue: ComputeQueue): void {
  const dropLater = replacedMembers({ db, jobs, evaluator }, 'rule')
  jobs.handle<{ people_id: number }>(
    COMPUTE,
    {
      concurrency: 1,
      retries: 3,
      retryDelaySeconds: 2,
      failed: (tx, { data, task_id }, why) => fail(tx, queue, { ...data, task_id }, why),
    },
    run,
  )

  async function run(job: RunningJob<{ people_id: number }>): Promise<void> {
    const { people_id } = job.data
    const started = performance.now()
    job.task.progress(0.05, '读取规则')
    const work = await job.step((tx) => begin(tx, queue, people_id))
    if (!work) return
    const { adv_id, def, sets, version } = work
    job.task.progress(0.2, '计算人群')
    const magnitude = await evaluator.storeRule(
      adv_id,
      def,
      sets,
      { crowd_id: people_id, version },
      { signal: job.signal },
    )
    job.task.progress(0.95, '保存结果')
    const took_ms = Math.round(performance.now() - started)
    const replaced = await job.finish((tx) => end(tx, people_id, work, { magnitude, took_ms }), { magnitude })
    // Versions in between were written by computations that were killed or overtaken, and never came into force.
    const dead = Array.from({ length: Math.min(100, Math.max(0, version - replaced - 1)) }, (_, i) => version - 1 - i)
    await evaluator.dropVersions(
      adv_id,
      dead.map((one) => ({ kind: 'crowd' as const, id: people_id, version: one })),
    )
  }

  /** Brings the version into force and returns the one it replaced; a result that came too late replaces none. */
  async function end(
    tx: Transaction<Database>,
    people_id: number,
    { adv_id, version, rule_id, at }: Work,
    result: { magnitude: number; took_ms: number },
  ): Promise<number> {
    await lockCrowds(tx, adv_id)
    const old = await tx
      .selectFrom('people')
      .select(['version', 'compute_seq', 'rule_id'])
      .where('id', '=', people_id)
      .forUpdate()
      .executeTakeFirst()
    // A newer computation, another rule or a purge came in between.
    if (!old || old.compute_seq !== version || old.rule_id !== rule_id) {
      await dropLater(tx, adv_id, people_id, version)
      return version
    }
    await tx
      .updateTable('people')
      .set({ version, ...result, computed_at: at, fail_reason: null, rule_changed: false })
      .where('id', '=', people_id)
      .execute()
    await onVersion(tx, { kind: 'rule', id: people_id, version })
    await dropLater(tx, adv_id, people_id, old.version)
    return old.version
  }
}

/** Stores why a computation failed, unless a newer one was sent, and tells the crowds that wait for this one. */
async function fail(
  tx: Transaction<Database>,
  queue: ComputeQueue,
  { people_id, task_id }: { people_id: number; task_id: number | null },
  fail_reason: AnyOutcome,
): Promise<void> {
  await lockCrowdsOf(tx, people_id)
  const failed = await tx
    .updateTable('people')
    .set({ fail_reason })
    .where('id', '=', people_id)
    .where((eb) => eb.or([eb('task_id', '=', task_id), eb('task_id', 'is', null)]))
    .returning('id')
    .executeTakeFirst()
  if (failed) await queue.recomputeWaiting(tx, failed.id)
}

/** Pins what is to be computed; null when there is nothing to do, or it cannot be done. */
async function begin(tx: Transaction<Database>, queue: ComputeQueue, people_id: number) {
  await lockCrowdsOf(tx, people_id)
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
  if (found === 'waits') return null
  if ('why' in found) {
    await tx
      .updateTable('people')
      .set({ fail_reason: found.why, is_dirty: false })
      .where('id', '=', people_id)
      .execute()
    await queue.recomputeWaiting(tx, people_id)
    return null
  }
  const { compute_seq } = await tx
    .updateTable('people')
    .set((eb) => ({ compute_seq: eb('compute_seq', '+', 1), is_dirty: false }))
    .where('id', '=', people_id)
    .returning('compute_seq')
    .executeTakeFirstOrThrow()
  return { adv_id, rule_id, def, sets: found.sets, version: compute_seq, at }
}

/** The sets that a rule is computed from, or why it cannot be; `waits` for a history crowd's first result. */
async function setsOf(tx: Transaction<Database>, adv_id: number, def: RuleNode, at: number) {
  try {
    const references = await referencesOf(tx, adv_id, def)
    const expired = expiredAmong(references, at)
    if (expired) return { why: expiredReason(expired.name) }
    const waitsFor = references.find((r) => r.tag_type === CROWD_TAG && r.version === 0)
    if (!waitsFor) return { sets: setVersionsOf(references) }
    // Its own computation sends this one again when it has a result or fails.
    const other = await tx.selectFrom('people').select('fail_reason').where('id', '=', waitsFor.id).executeTakeFirst()
    if (!other?.fail_reason) return 'waits' as const
    return { why: outcome('history_crowd_failed', { name: waitsFor.name, cause: other.fail_reason }) }
  } catch (error) {
    // A retry changes nothing: a tag that is still being built sends the computation again when it is ready.
    if (!(error instanceof AppError)) throw error
    return { why: error.outcome }
  }
}

async function lockCrowdsOf(tx: Transaction<Database>, people_id: number) {
  const crowd = await tx.selectFrom('people').select('adv_id').where('id', '=', people_id).executeTakeFirst()
  if (crowd) await lockCrowds(tx, crowd.adv_id)
}
