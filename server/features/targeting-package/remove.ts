import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { deleteTargetings } from '#contract/targeting-package.ts'
import { deletionAnswer } from '../../crowds/crowd-uses.ts'
import { plansOfPackages } from '../../crowds/package-plans.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { changeOf, mustBeFree, mustBeOwn, mustFindPackages, mustHaveFolder, type StoredPackage } from './checks.ts'
import type { MirrorQueue } from './mirror/queue.ts'

const accountsOf = (rows: readonly StoredPackage[]) => rows.map((row) => row.account_id)

/** Deletes and moves packages; each call does all or none. */
export function removePackages({ db, mirror }: { db: Kysely<Database>; mirror: MirrorQueue }) {
  /** Why the packages may not be deleted: the first that a live plan uses. Null when they may. */
  async function refusalOf(tx: Kysely<Database>, rows: readonly StoredPackage[]): Promise<AppError | null> {
    const plans = await plansOfPackages(
      tx,
      rows.map(({ id }) => id),
    )
    const used = rows.find(({ id }) => plans.has(id))
    if (!used) return null
    const names = plans.get(used.id)?.map((plan) => plan.name) ?? []
    return new AppError('packageInUse', { name: used.name, plans: names.join('、') })
  }

  return {
    async remove(viewer: Viewer, asked: z.output<typeof deleteTargetings.query>) {
      const { id: ids, advertiser_id, targeting_id, check } = asked
      const isOther = (row: StoredPackage) =>
        (advertiser_id !== undefined && row.account_id !== advertiser_id) ||
        (targeting_id !== undefined && row.targeting_id !== targeting_id)
      const found = await mustFindPackages(db, viewer, ids)
      if (found.some(isOther)) throw new AppError('notFound', { what: '定向包' })
      return changeOf(db, accountsOf(found), async (tx) => {
        const rows = await mustFindPackages(tx, viewer, ids)
        mustBeOwn(rows)
        const kept = await refusalOf(tx, rows)
        if (kept === null && !check) {
          const gone = rows.map(({ id }) => id)
          await tx.updateTable('targeting_package').set({ deleted_at: now() }).where('id', 'in', gone).execute()
          await mirror.removed(tx, rows)
          await audit(tx, viewer, 'targeting.delete', { ids: gone })
        }
        if (kept !== null && !check) throw kept
        return deletionAnswer(kept)
      })
    },

    async move(viewer: Viewer, ids: readonly number[], dir_id: number): Promise<void> {
      const found = await mustFindPackages(db, viewer, ids)
      await changeOf(db, accountsOf(found), async (tx) => {
        await mustHaveFolder(tx, dir_id)
        const rows = await mustFindPackages(tx, viewer, ids)
        mustBeOwn(rows)
        for (const row of rows.filter((one) => one.dir_id !== dir_id)) {
          // One after the other, so that two of one name do not both find it free.
          await mustBeFree(tx, { ...row, dir_id }, row.name, [row.id])
          await tx.updateTable('targeting_package').set({ dir_id }).where('id', '=', row.id).execute()
        }
        await audit(tx, viewer, 'targeting.move', { ids: rows.map(({ id }) => id), dir_id })
      })
    },
  }
}
