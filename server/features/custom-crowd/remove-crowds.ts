import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import type { deleteCustomCrowd } from '#contract/custom-crowd.ts'
import { outcome } from '#contract/outcome.ts'
import { crowdRemoval } from '../../crowds/crowd-removal.ts'
import { deletionAnswer, deletionRefusal } from '../../crowds/crowd-uses.ts'
import { customLog } from '../../crowds/custom-log.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { CustomChecks } from './crowd-checks.ts'

interface Deps {
  db: Kysely<Database>
  checks: CustomChecks
  matchSoon(tx: Transaction<Database>, crowd_id: number): Promise<unknown>
}

/** Deletes uploaded crowds, says beforehand why one may not be deleted, and restores them while their values are kept. */
export function removeCrowds({ db, checks, matchSoon }: Deps) {
  const removal = crowdRemoval(db, 'custom', checks)

  return {
    deleted: removal.deleted,

    /** Answers OK; when only a check was asked for, also why the crowd may not be deleted. */
    async remove(
      viewer: Viewer,
      id: number,
      adv_id: number,
      isCheck: boolean,
    ): Promise<z.output<typeof deleteCustomCrowd.data>> {
      const found = await checks.mustFind(db, viewer, id)
      if (found.adv_id !== adv_id) throw new AppError('notFound', { what: '自定义人群' })
      const nowhereElse = { only_here: null, only_here_outcome: null }
      if (isCheck) return { ...deletionAnswer(await deletionRefusal(db, 'custom', found)), ...nowhereElse }
      await removal.remove(viewer, [id], async (tx) => {
        await tx
          .updateTable('custom_version')
          .set({ status: 'failed', error: outcome('crowd_deleted'), finished_at: now() })
          .where('crowd_id', '=', id)
          .where('status', '=', 'computing')
          .execute()
        await customLog(tx, viewer, { crowd_id: id, op_type: 3, what: '删除人群' })
        await audit(tx, viewer, 'custom_crowd.delete', { id, name: found.name })
      })
      return { ...deletionAnswer(null), ...nowhereElse }
    },

    /** Does not resume a check that the deletion stopped. */
    undelete: (viewer: Viewer, ids: readonly number[]): Promise<void> =>
      removal.restore(viewer, ids, async (tx, restored) => {
        for (const { id } of restored) {
          await tx
            .updateTable('custom_crowd')
            .set({ fail_reason: outcome('check_stopped_by_delete') })
            .where('id', '=', id)
            .where('version', '=', 0)
            .where('fail_reason', 'is', null)
            .execute()
          await customLog(tx, viewer, { crowd_id: id, op_type: 0, what: '恢复已删除的人群' })
          await matchSoon(tx, id)
        }
        await audit(tx, viewer, 'custom_crowd.undelete', { ids: restored.map((crowd) => crowd.id) })
      }),
  }
}
