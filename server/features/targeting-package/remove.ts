import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import type { LivePlan } from '#contract/live-plan.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { deleteTargetings } from '#contract/targeting-package.ts'
import { plansOfPackages } from '../../crowds/package-plans.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import {
  changeOf,
  findPackages,
  mustBeFree,
  mustBeOwn,
  mustFindAccount,
  mustFindPackages,
  mustHaveFolder,
  mustMayChange,
  type StoredPackage,
} from './checks.ts'
import type { MirrorQueue } from './mirror/queue.ts'
import type { PackageSaves } from './save.ts'

const accountsOf = (rows: readonly StoredPackage[]) => rows.map((row) => row.account_id)

interface Deps {
  db: Kysely<Database>
  mirror: MirrorQueue
  write: PackageSaves['write']
}

/** Deletes and moves packages. */
export function removePackages({ db, mirror, write }: Deps) {
  return {
    /** Deletes those that may be deleted, and says of each other why it is kept. Refused where that is all of them. */
    async remove(
      viewer: Viewer,
      asked: z.output<typeof deleteTargetings.query>,
    ): Promise<z.output<typeof deleteTargetings.data>> {
      const ids = [...new Set(asked.id)]
      const { advertiser_id, targeting_id, check: isCheck } = asked
      const isMeant = (row: StoredPackage) =>
        (advertiser_id === undefined || row.account_id === advertiser_id) &&
        (targeting_id === undefined || row.targeting_id === targeting_id)
      const meant = async (tx: Kysely<Database>) => (await findPackages(tx, viewer, ids)).filter(isMeant)
      return changeOf(db, accountsOf(await meant(db)), async (tx) => {
        const rows = new Map((await meant(tx)).map((row) => [row.id, row]))
        if (rows.size === 0) throw new AppError('notFound', { what: '定向包' })
        const plans = await plansOfPackages(tx, [...rows.keys()])
        const lacking = new Map<number, AnyOutcome | null>()
        for (const id of new Set(accountsOf([...rows.values()]))) {
          lacking.set(id, (await mustFindAccount(tx, viewer, id)).lacks)
        }
        const kept = new Map(
          ids.map((id) => {
            const row = rows.get(id)
            return [id, refusalOf(row, (row && lacking.get(row.account_id)) ?? null, plans.get(id) ?? [])]
          }),
        )
        const gone = [...rows.values()].filter(({ id }) => kept.get(id) === null)
        const list = ids.map((id) => {
          const { msg, refusal_outcome } = answerOf(kept.get(id) ?? null)
          const is_deleted = !isCheck && refusal_outcome === null
          return { id, name: rows.get(id)?.name ?? null, is_deleted, msg, refusal_outcome }
        })
        const refusal = [...kept.values()].find((one) => one !== null) ?? null
        if (!isCheck && refusal && gone.length === 0) {
          refusal.data = { list }
          throw refusal
        }
        if (!isCheck) await removeAll(tx, viewer, gone)
        return { ...answerOf(refusal), list }
      })
    },

    /** Moves packages to a folder, each as its next version. */
    async move(viewer: Viewer, ids: readonly number[], dir_id: number): Promise<void> {
      const found = await mustFindPackages(db, viewer, ids)
      await changeOf(db, accountsOf(found), async (tx) => {
        await mustHaveFolder(tx, dir_id)
        const rows = await mustFindPackages(tx, viewer, ids)
        mustBeOwn(rows)
        await mustMayChange(tx, viewer, rows)
        for (const row of rows.filter((one) => one.dir_id !== dir_id)) {
          // One after the other, so that two of one name do not both find it free.
          await mustBeFree(tx, { ...row, dir_id }, row.name, [row.id])
          const { name, invalid_time, targeting } = row
          await write(tx, viewer, row, { name, dir_id, invalid_time, targeting }, { kind: 'update' })
        }
        await audit(tx, viewer, 'targeting.move', { ids: rows.map(({ id }) => id), dir_id })
      })
    },
  }

  async function removeAll(tx: Transaction<Database>, viewer: Viewer, rows: readonly StoredPackage[]): Promise<void> {
    const ids = rows.map(({ id }) => id)
    await tx.updateTable('targeting_package').set({ deleted_at: now() }).where('id', 'in', ids).execute()
    await mirror.removed(tx, rows)
    await audit(tx, viewer, 'targeting.delete', { ids })
  }
}

/**
 * Why a package may not be deleted: it is not there, it was made on the platform, its account lacks what is needed, or
 * live plans use it.
 */
function refusalOf(
  row: StoredPackage | undefined,
  lacks: AnyOutcome | null,
  plans: readonly LivePlan[],
): AppError | null {
  if (!row) return new AppError('notFound', { what: '定向包' })
  if (row.origin === 'platform') return new AppError('packageFromPlatform', { name: row.name })
  if (lacks) return new AppError('platformClosed', { reason: lacks })
  if (plans.length === 0) return null
  return new AppError('packageInUse', { name: row.name, plans: plans.map((plan) => plan.name).join('、') })
}

const answerOf = (kept: AppError | null) => ({ msg: kept?.message ?? 'OK', refusal_outcome: kept?.outcome ?? null })
