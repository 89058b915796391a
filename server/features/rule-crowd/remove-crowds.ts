import type { Kysely, Transaction } from 'kysely'
import { RESTORE_SECONDS } from '#contract/deleted.ts'
import { mayDelete, RULE_CROWD_STATUS } from '#contract/rule-crowd.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { crowdRemoval, type RestoredCrowd } from '../../crowds/crowd-removal.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { notAfterNow } from '../../postgres/not-after-now.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import type { CrowdComputing } from './compute.ts'
import type { RuleCrowdChecks } from './crowd-checks.ts'
import { referencesOf } from './references.ts'

interface Deps {
  db: Kysely<Database>
  evaluator: RuleEvaluator
  computing: CrowdComputing
  checks: RuleCrowdChecks
}

/** Seconds after the last moment of a restore: one that began just in time has ended by then. */
const PURGE_MARGIN_SECONDS = 300

/** Deletes and restores rule crowds, and purges those that can no longer be restored. */
export function removeCrowds({ db, evaluator, computing, checks }: Deps) {
  const removal = crowdRemoval(db, 'rule', checks)

  async function computeRestored(tx: Transaction<Database>, viewer: Viewer, crowd: RestoredCrowd): Promise<void> {
    const { def } = await tx
      .updateTable('people')
      .from('rule')
      .set((eb) => ({ ver: eb('ver', '+', 1) }))
      .whereRef('rule.id', '=', 'people.rule_id')
      .where('people.id', '=', crowd.id)
      .returning('rule.def')
      .executeTakeFirstOrThrow()
    if (def) await referencesOf(tx, crowd.adv_id, def)
    await computing.enqueue(tx, crowd, viewer.id)
  }

  return {
    deleted: removal.deleted,

    remove: (viewer: Viewer, ids: readonly number[]): Promise<void> =>
      removal.remove(viewer, ids, async (tx, crowds) => {
        const barred = crowds.find((crowd) => !mayDelete(crowd.status))
        if (barred) throw new AppError('crowdStatusBars', { status: RULE_CROWD_STATUS[barred.status], action: '删除' })
        await tx
          .updateTable('people')
          .set((eb) => ({ ver: eb('ver', '+', 1), task_id: null }))
          .where('id', 'in', [...ids])
          .execute()
        await audit(tx, viewer, 'people.delete', { ids })
      }),

    /** Refuses where a restored rule names something that no longer exists. */
    restore: (viewer: Viewer, ids: readonly number[]): Promise<void> =>
      removal.restore(viewer, ids, async (tx, restored) => {
        for (const [adv_id, crowds] of Map.groupBy(restored, (crowd) => crowd.adv_id)) {
          // The restored crowds are counted already.
          await checks.mustHaveRoom(tx, adv_id, 0)
          for (const crowd of crowds) await computeRestored(tx, viewer, crowd)
        }
        await audit(tx, viewer, 'people.restore', { ids: restored.map((crowd) => crowd.id) })
      }),

    /** Deletes crowds that can no longer be restored, with their members. */
    async purge(): Promise<void> {
      await notAfterNow(db, 'people', 'deleted_at')
      const gone = await db
        .selectFrom('people')
        .select(['id', 'adv_id', 'rule_id', 'compute_seq'])
        .where('deleted_at', '<', now() - RESTORE_SECONDS - PURGE_MARGIN_SECONDS)
        .limit(500)
        .execute()
      for (const { id, adv_id, rule_id, compute_seq } of gone) {
        await evaluator.dropVersions(
          adv_id,
          Array.from({ length: compute_seq }, (_, i) => ({ kind: 'crowd' as const, id, version: i + 1 })),
        )
        await transaction(db, async (tx) => {
          const { numDeletedRows } = await tx
            .deleteFrom('people')
            .where('id', '=', id)
            .where('deleted_at', 'is not', null)
            .executeTakeFirstOrThrow()
          if (numDeletedRows > 0) await tx.deleteFrom('rule').where('id', '=', rule_id).execute()
        })
      }
    },
  }
}
