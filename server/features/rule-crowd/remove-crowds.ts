import type { Kysely, Transaction } from 'kysely'
import { mayDelete, RULE_CROWD_STATUS, type RuleCrowdStatus } from '#contract/rule-crowd.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { crowdPurge } from '../../crowds/crowd-purge.ts'
import { crowdRemoval, type RestoredCrowd } from '../../crowds/crowd-removal.ts'
import { forgetSizes } from '../../crowds/crowd-sizes.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Jobs } from '../../jobs/open.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import type { CrowdComputing } from './compute.ts'
import type { RuleCrowdChecks } from './crowd-checks.ts'
import { referencesOf } from './references.ts'

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  evaluator: RuleEvaluator
  computing: CrowdComputing
  checks: RuleCrowdChecks
  /** Deletes old drafts of rules. */
  dropDrafts(): Promise<void>
}

function mustAllowDeletion(crowds: readonly { status: RuleCrowdStatus }[]): void {
  const barred = crowds.find((crowd) => !mayDelete(crowd.status))
  if (barred) throw new AppError('crowdStatusBars', { status: RULE_CROWD_STATUS[barred.status], action: '删除' })
}

/** Deletes and restores rule crowds, and purges those that can no longer be restored. */
export function removeCrowds({ db, jobs, evaluator, computing, checks, dropDrafts }: Deps) {
  const removal = crowdRemoval(db, 'rule', checks)
  const purge = crowdPurge({ db, jobs }, 'rule', { dropData: dropMembers, dropRows, also: dropDrafts })

  /** Drops the members of all versions, also of those that never came into force. */
  async function dropMembers({ id, adv_id }: { id: number; adv_id: number }): Promise<void> {
    const crowd = await db.selectFrom('people').select('compute_seq').where('id', '=', id).executeTakeFirst()
    const versions = Array.from({ length: crowd?.compute_seq ?? 0 }, (_, i) => i + 1)
    await evaluator.dropVersions(
      adv_id,
      versions.map((version) => ({ kind: 'crowd', id, version })),
    )
  }

  async function dropRows(tx: Transaction<Database>, id: number): Promise<void> {
    const crowd = await tx.deleteFrom('people').where('id', '=', id).returning('rule_id').executeTakeFirstOrThrow()
    await tx.deleteFrom('rule').where('id', '=', crowd.rule_id).execute()
    await forgetSizes(tx, id)
  }

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

    /** Refuses what a deletion would refuse, and deletes nothing. */
    async checkRemoval(viewer: Viewer, ids: readonly number[]): Promise<void> {
      mustAllowDeletion(await removal.check(viewer, ids))
    },

    remove: (viewer: Viewer, ids: readonly number[]): Promise<void> =>
      removal.remove(viewer, ids, async (tx, crowds) => {
        mustAllowDeletion(crowds)
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

    purge,
  }
}
