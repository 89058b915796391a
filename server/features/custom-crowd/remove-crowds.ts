import type { Kysely } from 'kysely'
import { RESTORE_SECONDS } from '#contract/deleted.ts'
import { customLog } from '../../crowds/custom-log.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Jobs } from '../../jobs/open.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { childRows } from '../audience/children.ts'
import type { CrowdChecks } from './crowd-checks.ts'
import { DROP, DROP_MARGIN_SECONDS } from './sweep.ts'

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  checks: CrowdChecks
}

export interface Removal {
  msg: string
  only_here: string | null
}

/** Deleting uploaded crowds, and saying beforehand why one is kept. */
export function removeCrowds({ db, jobs, checks }: Deps) {
  const { mustFind, change, usersOf } = checks

  /** Why a crowd may not be deleted: its children, or the rules that use it. Null when it may. */
  async function whyKept(tx: Kysely<Database>, crowd: { id: number; name: string }): Promise<AppError | null> {
    const { name } = crowd
    const children = await childRows(tx).where('audience.custom_id', '=', crowd.id).execute()
    if (children.some((child) => child.push_status === 'running' || child.push_status === 'waiting')) {
      return new AppError('customPushing', { name, action: '删除' })
    }
    if (children.length > 0) return new AppError('customHasChildren', { name, count: children.length })
    const users = await usersOf(tx, crowd.id)
    if (users.length === 0) return null
    const by = users.map((user) => user.name).join('、')
    return new AppError('crowdReferenced', { name, by }, { users: users.map((user) => ({ kind: 'crowd', ...user })) })
  }

  return {
    /** Answers OK, or why not where only a check was asked for. */
    async remove(viewer: Viewer, id: number, adv_id: number, isCheck: boolean): Promise<Removal> {
      const mustBe = (crowd: { adv_id: number }) => {
        if (crowd.adv_id !== adv_id) throw new AppError('notFound', { what: '自定义人群' })
      }
      if (isCheck) {
        const crowd = await mustFind(db, viewer, id)
        mustBe(crowd)
        return { msg: (await whyKept(db, crowd))?.message ?? 'OK', only_here: null }
      }
      return change(viewer, [id], async (tx) => {
        await tx.selectFrom('custom_crowd').select('id').where('id', '=', id).forNoKeyUpdate().execute()
        const crowd = await mustFind(tx, viewer, id)
        mustBe(crowd)
        const kept = await whyKept(tx, crowd)
        if (kept) throw kept
        await tx.updateTable('custom_crowd').set({ deleted_at: now() }).where('id', '=', id).execute()
        await tx
          .updateTable('custom_version')
          .set({ status: 'failed', error: '人群已删除', finished_at: now() })
          .where('crowd_id', '=', id)
          .where('status', '=', 'computing')
          .execute()
        await customLog(tx, viewer, { crowd_id: id, op_type: 3, what: '删除人群' })
        await jobs.send(tx, DROP, { crowd_id: id }, { startAfter: RESTORE_SECONDS + DROP_MARGIN_SECONDS })
        await audit(tx, viewer, 'custom_crowd.delete', { id, name: crowd.name })
        return { msg: 'OK', only_here: null }
      })
    },
  }
}
