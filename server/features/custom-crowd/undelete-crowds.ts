import type { Kysely, Transaction } from 'kysely'
import { DELETED_SHOWN_MAX, type DeletedCrowd, RESTORE_SECONDS } from '#contract/deleted.ts'
import { customLog } from '../../crowds/custom-log.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { CrowdChecks } from './crowd-checks.ts'

interface Deps {
  db: Kysely<Database>
  checks: CrowdChecks
  matchSoon(tx: Transaction<Database>, crowd_id: number): Promise<unknown>
}

/** Bringing deleted crowds back while their values are still kept. */
export function undeleteCrowds({ db, checks, matchSoon }: Deps) {
  const { changeOf, mustHaveFolder, mustBeFree } = checks

  return {
    /** What `undelete` can still bring back, the latest first. */
    async deleted(viewer: Viewer): Promise<DeletedCrowd[]> {
      if (viewer.adv_ids.length === 0) return []
      const rows = await db
        .selectFrom('custom_crowd')
        .innerJoin('advertiser', 'advertiser.id', 'custom_crowd.adv_id')
        .innerJoin('custom_folder', 'custom_folder.id', 'custom_crowd.dir_id')
        .select([
          'custom_crowd.id',
          'custom_crowd.name',
          'custom_crowd.adv_id',
          'advertiser.name as adv_name',
          'custom_folder.name as dir_name',
          'custom_crowd.size',
          'custom_crowd.deleted_at',
        ])
        .where('custom_crowd.adv_id', 'in', viewer.adv_ids)
        .where('custom_crowd.deleted_at', '>', now() - RESTORE_SECONDS)
        .orderBy('custom_crowd.deleted_at', 'desc')
        .orderBy('custom_crowd.id', 'desc')
        .limit(DELETED_SHOWN_MAX)
        .$narrowType<{ deleted_at: number }>()
        .execute()
      return rows.map((row) => ({ ...row, until: row.deleted_at + RESTORE_SECONDS }))
    },

    /** All or none; a check that the deletion stopped is not taken up again. */
    async undelete(viewer: Viewer, given: readonly number[]): Promise<void> {
      const ids = [...new Set(given)]
      const known = await db.selectFrom('custom_crowd').select('adv_id').distinct().where('id', 'in', ids).execute()
      const adv_ids = known.map((row) => row.adv_id)
      if (!adv_ids.every((adv_id) => viewer.isMember(adv_id))) throw new AppError('restoreGone')
      await changeOf(adv_ids, async (tx) => {
        const gone = await tx
          .selectFrom('custom_crowd')
          .select(['id', 'name', 'dir_id', 'version', 'fail_reason'])
          .where('id', 'in', ids)
          .where('deleted_at', '>', now() - RESTORE_SECONDS)
          .orderBy('id')
          .forUpdate()
          .execute()
        if (gone.length < ids.length) throw new AppError('restoreGone')
        for (const { id, name, dir_id, version, fail_reason } of gone) {
          await mustHaveFolder(tx, dir_id)
          await mustBeFree(tx, dir_id, name)
          const stopped = version === 0 ? (fail_reason ?? '校验因人群被删除而中止，请重新上传') : fail_reason
          await tx
            .updateTable('custom_crowd')
            .set({ deleted_at: null, fail_reason: stopped })
            .where('id', '=', id)
            .execute()
          await customLog(tx, viewer, { crowd_id: id, op_type: 0, what: '恢复已删除的人群' })
          await matchSoon(tx, id)
        }
        await audit(tx, viewer, 'custom_crowd.undelete', { ids })
      })
    },
  }
}
