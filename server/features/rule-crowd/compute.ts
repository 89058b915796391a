import type { Kysely, Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { CROWD_TAG } from '#contract/rule.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import type { OnVersion } from '../../crowds/kinds.ts'
import { replacedMembers } from '../../crowds/replaced-members.ts'
import { AppError } from '../../errors.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now, secondsLeft } from '../../time/clock.ts'
import { expiredAmong, pinned, referencesOf } from './references.ts'
import { expiredReason } from './store.ts'

const COMPUTE = 'rule-crowd.compute'
/** Starts a computation that waited for its quarter of an hour; viewers see the computation alone. */
const DUE = 'rule-crowd.due'
const DAILY = 'rule-crowd.daily'
const SWEEP = 'rule-crowd.sweep'

/** Crowds recompute when their data changed, at most this often. */
const RECOMPUTE_EVERY = 15 * 60

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  evaluator: RuleEvaluator
  timezone: string
  /** What goes away by itself: drafts, deleted crowds whose time for undoing is over. */
  sweep(): Promise<void>
  onVersion: OnVersion
}

/** Computes the members of crowds in jobs, and keeps them in step with their tags and with each other. */
export function crowdComputing({ db, jobs, evaluator, timezone, sweep, onVersion }: Deps) {
  const dropLater = replacedMembers({ db, jobs, evaluator }, 'rule')
  jobs.handle<{ people_id: number }>(
    COMPUTE,
    {
      concurrency: 1,
      retries: 3,
      retryDelaySeconds: 2,
      async failed(tx, { data, task_id }, why) {
        await lockCrowdsOf(tx, data.people_id)
        const failed = await tx
          .updateTable('people')
          .set({ fail_reason: why })
          .where('id', '=', data.people_id)
          .where((eb) => eb.or([eb('task_id', '=', task_id), eb('task_id', 'is', null)]))
          .returning('id')
          .executeTakeFirst()
        if (failed) await recomputeWaiting(tx, failed.id)
      },
    },
    async (job) => {
      const started = performance.now()
      job.task.progress(0.05, '读取规则')
      const work = await job.step((tx) => begin(tx, job.data.people_id))
      if (!work) return
      job.task.progress(0.2, '计算人群')
      const { adv_id, def, sets, version, rule_id } = work
      const into = { crowd_id: job.data.people_id, version }
      const magnitude = await evaluator.storeRule(adv_id, def, sets, into, { signal: job.signal })
      job.task.progress(0.95, '保存结果')
      const replaced = await job.finish(
        async (tx) => {
          await lockCrowds(tx, adv_id)
          const old = await tx
            .selectFrom('people')
            .select(['version', 'compute_seq', 'rule_id'])
            .where('id', '=', job.data.people_id)
            .forUpdate()
            .executeTakeFirst()
          // A newer computation, another rule or a purge came in between: this result is nobody's.
          if (!old || old.compute_seq !== version || old.rule_id !== rule_id) {
            await dropLater(tx, adv_id, job.data.people_id, version)
            return version
          }
          await tx
            .updateTable('people')
            .set({
              version,
              magnitude,
              computed_at: work.at,
              took_ms: Math.round(performance.now() - started),
              fail_reason: null,
              rule_changed: false,
            })
            .where('id', '=', job.data.people_id)
            .execute()
          await recomputeUsersOf(tx, 'crowd', [job.data.people_id])
          await onVersion(tx, { kind: 'rule', id: job.data.people_id, version })
          await dropLater(tx, adv_id, job.data.people_id, old.version)
          return old.version
        },
        { magnitude },
      )
      // What computations wrote that were killed or overtaken was never anybody's result.
      const left = Array.from({ length: Math.min(100, Math.max(0, version - replaced - 1)) }, (_, i) => version - 1 - i)
      await evaluator.dropVersions(
        adv_id,
        left.map((dead) => ({ kind: 'crowd' as const, id: job.data.people_id, version: dead })),
      )
    },
  )

  jobs.handle<{ people_id: number }>(DUE, { concurrency: 1 }, (job) =>
    job.finish(async (tx) => {
      const crowd = await tx
        .selectFrom('people')
        .select(['id', 'adv_id', 'name'])
        .where('id', '=', job.data.people_id)
        .where('is_dirty', '=', true)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (crowd) await enqueue(tx, crowd, null)
    }),
  )

  jobs.handle(DAILY, {}, async () => {
    const rows = await db
      .selectFrom('people')
      .select(['id', 'adv_id', 'name'])
      .where('deleted_at', 'is', null)
      .where('invalid_time', '>=', now())
      .orderBy('id')
      .execute()
    for (const row of rows) await transaction(db, (tx) => enqueue(tx, row, null))
    // Dropped versions are only hidden until then.
    await evaluator.compact()
  })
  jobs.schedule(DAILY, '30 0 * * *', timezone)

  jobs.handle(SWEEP, {}, sweep)
  jobs.schedule(SWEEP, '*/10 * * * *', timezone)

  /** Pins what is to be computed; null when there is nothing to do, or it cannot be done. */
  async function begin(tx: Transaction<Database>, people_id: number) {
    await lockCrowdsOf(tx, people_id)
    const crowd = await tx
      .selectFrom('people')
      .innerJoin('rule', 'rule.id', 'people.rule_id')
      .select(['people.id', 'people.adv_id', 'people.rule_id', 'people.invalid_time', 'rule.def'])
      .where('people.id', '=', people_id)
      .where('people.deleted_at', 'is', null)
      .forUpdate('people')
      .executeTakeFirst()
    if (!crowd?.def || crowd.invalid_time < now()) return null
    const at = now()
    const fail = async (fail_reason: AnyOutcome) => {
      await tx.updateTable('people').set({ fail_reason, is_dirty: false }).where('id', '=', people_id).execute()
      await recomputeWaiting(tx, people_id)
    }
    try {
      const references = await referencesOf(tx, crowd.adv_id, crowd.def)
      const expired = expiredAmong(references, at)
      if (expired) {
        await fail(expiredReason(expired.name))
        return null
      }
      const waitsFor = references.find((r) => r.tag_type === CROWD_TAG && r.version === 0)
      if (waitsFor) {
        // Its own computation sends this one again when it has a result or fails.
        const failed = await tx
          .selectFrom('people')
          .select('fail_reason')
          .where('id', '=', waitsFor.id)
          .executeTakeFirst()
        if (failed?.fail_reason) {
          await fail(outcome('history_crowd_failed', { name: waitsFor.name, cause: failed.fail_reason }))
        }
        return null
      }
      const sets = pinned(references)
      const { compute_seq } = await tx
        .updateTable('people')
        .set((eb) => ({ compute_seq: eb('compute_seq', '+', 1), is_dirty: false }))
        .where('id', '=', people_id)
        .returning('compute_seq')
        .executeTakeFirstOrThrow()
      return { adv_id: crowd.adv_id, rule_id: crowd.rule_id, def: crowd.def, sets, version: compute_seq, at }
    } catch (error) {
      // Waiting changes nothing; a tag that is still being built computes the crowd again when it is there.
      if (!(error instanceof AppError)) throw error
      await fail(error.outcome)
      return null
    }
  }

  async function lockCrowdsOf(tx: Transaction<Database>, people_id: number) {
    const crowd = await tx.selectFrom('people').select('adv_id').where('id', '=', people_id).executeTakeFirst()
    if (crowd) await lockCrowds(tx, crowd.adv_id)
  }

  /** Sends a computation, and shows it in the task tray. */
  async function enqueue(
    tx: Transaction<Database>,
    crowd: { id: number; adv_id: number; name: string },
    viewer_id: number | null,
  ): Promise<void> {
    // The row before the job, here as in every change of a crowd: the other way round two of them could wait for each other.
    await tx.updateTable('people').set({ is_dirty: true }).where('id', '=', crowd.id).execute()
    const { task_id } = await jobs.send(
      tx,
      COMPUTE,
      { people_id: crowd.id },
      {
        singletonKey: `people:${crowd.id}`,
        task: {
          title: `计算人群「${crowd.name}」`,
          adv_id: crowd.adv_id,
          viewer_id,
          link: `/cowd-manage/cowd-assets/watch/${crowd.id}`,
        },
      },
    )
    await tx.updateTable('people').set({ task_id }).where('id', '=', crowd.id).execute()
  }

  async function enqueueLater(tx: Transaction<Database>, people_id: number, startAfter: number): Promise<void> {
    await tx.updateTable('people').set({ is_dirty: true }).where('id', '=', people_id).execute()
    await jobs.send(tx, DUE, { people_id }, { singletonKey: `people:${people_id}`, startAfter })
  }

  /** Crowds without a result that wait for this one, which failed, are to hear of it. */
  async function recomputeWaiting(tx: Transaction<Database>, people_id: number) {
    for (const user of await usersOf(tx, 'crowd', [people_id])) if (user.version === 0) await enqueue(tx, user, null)
  }

  /** Recomputes the crowds that use changed tags or crowds, each at most every quarter of an hour once it has a result. */
  async function recomputeUsersOf(tx: Transaction<Database>, kind: 'tag' | 'crowd', ids: readonly number[]) {
    if (ids.length === 0) return
    for (const user of await usersOf(tx, kind, ids)) {
      const fresh = user.version > 0 && user.fail_reason === null
      const wait = fresh ? secondsLeft(user.computed_at ?? 0, RECOMPUTE_EVERY) : 0
      if (wait > 0) await enqueueLater(tx, user.id, wait)
      else await enqueue(tx, user, null)
    }
  }

  const usersOf = (tx: Transaction<Database>, kind: 'tag' | 'crowd', ids: readonly number[]) =>
    tx
      .selectFrom('people')
      .innerJoin('crowd_use', 'crowd_use.people_id', 'people.id')
      .select([
        'people.id',
        'people.adv_id',
        'people.name',
        'people.computed_at',
        'people.version',
        'people.fail_reason',
      ])
      .distinct()
      .where('crowd_use.uses_kind', '=', kind)
      .where('crowd_use.uses_id', 'in', [...ids])
      .where('people.deleted_at', 'is', null)
      .where('people.invalid_time', '>=', now())
      .orderBy('people.id')
      .execute()

  return { enqueue, recomputeUsersOf }
}
export type CrowdComputing = ReturnType<typeof crowdComputing>
