import type { Kysely } from 'kysely'
import { DELETED_SHOWN_MAX, type DeletedCrowd, RESTORE_SECONDS } from '#contract/deleted.ts'
import { mayDelete, PEOPLE_STATUS } from '#contract/rule-crowd.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { notAfterNow } from '../../postgres/not-after-now.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import type { CrowdComputing } from './compute.ts'
import type { CrowdChecks } from './crowd-checks.ts'
import { referencesOf } from './references.ts'

interface Deps {
  db: Kysely<Database>
  evaluator: RuleEvaluator
  computing: CrowdComputing
  checks: CrowdChecks
}

/** An undo that began in the last second has ended by then, and keeps its members. */
const PURGE_MARGIN_SECONDS = 300

/** Deleting crowds, undoing it, and forgetting what can no longer be undone. */
export function removeCrowds({ db, evaluator, computing, checks }: Deps) {
  const { changeOf, changeAll, mustFindAll, mustBeFree, mustHaveRoom, usersOf } = checks

  return {
    remove: (viewer: Viewer, ids: readonly number[]) =>
      changeAll(viewer, ids, async (tx) => {
        // A push that starts now is waited for, and its child is then seen.
        await tx
          .selectFrom('people')
          .select('id')
          .where('id', 'in', [...ids])
          .orderBy('id')
          .forNoKeyUpdate()
          .execute()
        const crowds = await mustFindAll(tx, viewer, ids)
        for (const crowd of crowds) {
          const count = await childrenOf(tx, crowd.id)
          if (count > 0) throw new AppError('customHasChildren', { name: crowd.name, count })
          const users = await usersOf(tx, crowd.id, ids)
          const by = users.map((user) => user.name).join('、')
          if (users.some((user) => user.kind === 'plan'))
            throw new AppError('crowdInUse', { name: crowd.name }, { users })
          if (users.length > 0) throw new AppError('crowdReferenced', { name: crowd.name, by }, { users })
          if (!mayDelete(crowd.status)) {
            throw new AppError('crowdStatusBars', { status: PEOPLE_STATUS[crowd.status], action: '删除' })
          }
        }
        await tx
          .updateTable('people')
          .set((eb) => ({ deleted_at: now(), ver: eb('ver', '+', 1), task_id: null }))
          .where('id', 'in', [...ids])
          .execute()
        await audit(tx, viewer, 'people.delete', { ids })
      }),

    /** What `restore` can still bring back, the latest first. */
    async deleted(viewer: Viewer): Promise<DeletedCrowd[]> {
      if (viewer.adv_ids.length === 0) return []
      const rows = await db
        .selectFrom('people')
        .innerJoin('advertiser', 'advertiser.id', 'people.adv_id')
        .innerJoin('asset_folder', 'asset_folder.id', 'people.dir_id')
        .select([
          'people.id',
          'people.name',
          'people.adv_id',
          'advertiser.name as adv_name',
          'asset_folder.name as dir_name',
          'people.magnitude as size',
          'people.deleted_at',
        ])
        .where('people.adv_id', 'in', viewer.adv_ids)
        .where('people.deleted_at', '>', now() - RESTORE_SECONDS)
        .orderBy('people.deleted_at', 'desc')
        .orderBy('people.id', 'desc')
        .limit(DELETED_SHOWN_MAX)
        .$narrowType<{ deleted_at: number }>()
        .execute()
      return rows.map((row) => ({ ...row, until: row.deleted_at + RESTORE_SECONDS }))
    },

    /** Undoes deletions while the members are still kept, all or none; the rules must still be sound. */
    async restore(viewer: Viewer, given: readonly number[]): Promise<void> {
      const ids = [...new Set(given)]
      const known = await db.selectFrom('people').select('adv_id').distinct().where('id', 'in', ids).execute()
      const adv_ids = known.map((row) => row.adv_id)
      if (!adv_ids.every((adv_id) => viewer.isMember(adv_id))) throw new AppError('restoreGone')
      await changeOf(adv_ids, async (tx) => {
        const gone = await tx
          .selectFrom('people')
          .innerJoin('rule', 'rule.id', 'people.rule_id')
          .select(['people.id', 'people.adv_id', 'people.name', 'people.dir_id', 'rule.def'])
          .where('people.id', 'in', ids)
          .where('people.deleted_at', '>', now() - RESTORE_SECONDS)
          .orderBy('people.id')
          .forUpdate('people')
          .execute()
        if (gone.length < ids.length) throw new AppError('restoreGone')
        for (const adv_id of adv_ids) {
          await mustHaveRoom(tx, adv_id, gone.filter((crowd) => crowd.adv_id === adv_id).length)
        }
        for (const crowd of gone) await mustBeFree(tx, crowd.dir_id, crowd.name)
        await tx
          .updateTable('people')
          .set((eb) => ({ deleted_at: null, ver: eb('ver', '+', 1) }))
          .where('id', 'in', ids)
          .execute()
        for (const crowd of gone) {
          if (crowd.def) await referencesOf(tx, crowd.adv_id, crowd.def)
          await computing.enqueue(tx, crowd, viewer.id)
        }
        await audit(tx, viewer, 'people.restore', { ids })
      })
    },

    /** Forgets crowds whose deletion can no longer be undone, with their members. */
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

/** Audiences of a crowd on platform accounts. */
async function childrenOf(tx: Kysely<Database>, people_id: number): Promise<number> {
  const { n } = await tx
    .selectFrom('audience')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('people_id', '=', people_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return n
}
