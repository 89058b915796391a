import { type Kysely, sql, type Transaction } from 'kysely'
import { DELETED_SHOWN_MAX, type DeletedCrowd, RESTORE_SECONDS } from '#contract/deleted.ts'
import { AppError } from '../errors.ts'
import type { Viewer } from '../http/viewer.ts'
import type { Database } from '../postgres/schema.ts'
import { now } from '../time/clock.ts'
import type { crowdChecks } from './crowd-checks.ts'
import { deletionRefusal } from './crowd-uses.ts'
import { CROWDS, type CrowdKind } from './kinds.ts'

type Checks<Row extends { id: number; adv_id: number }> = ReturnType<typeof crowdChecks<Row>>

/** A deleted crowd that is being restored. */
export interface RestoredCrowd {
  id: number
  adv_id: number
  name: string
  dir_id: number
}

/** Deletes crowds, lists deleted ones and restores them; each call does all or none. */
export function crowdRemoval<Row extends { id: number; adv_id: number; name: string }>(
  db: Kysely<Database>,
  kind: CrowdKind,
  checks: Checks<Row>,
) {
  const { crowds, folders, size } = CROWDS[kind]
  const { change, changeOf, mustFindAll, mustHaveFolder, mustBeFree } = checks

  async function mustBeDeletable(tx: Kysely<Database>, viewer: Viewer, ids: readonly number[]): Promise<Row[]> {
    const rows = await mustFindAll(tx, viewer, ids)
    for (const row of rows) {
      const kept = await deletionRefusal(tx, kind, row, ids)
      if (kept) throw kept
    }
    return rows
  }

  return {
    /** Refuses what a deletion would refuse, and deletes nothing. */
    check: (viewer: Viewer, ids: readonly number[]): Promise<Row[]> => mustBeDeletable(db, viewer, ids),

    /** `also` is the rest of the transaction: it may still refuse. */
    remove: (
      viewer: Viewer,
      ids: readonly number[],
      also: (tx: Transaction<Database>, rows: Row[]) => Promise<void>,
    ): Promise<void> =>
      change(viewer, ids, async (tx) => {
        // A push that starts at the same time takes this lock too, so its audience is seen below.
        await tx
          .selectFrom(crowds)
          .select('id')
          .where('id', 'in', [...ids])
          .orderBy('id')
          .forNoKeyUpdate()
          .execute()
        const rows = await mustBeDeletable(tx, viewer, ids)
        await tx
          .updateTable(crowds)
          .set({ deleted_at: now() })
          .where('id', 'in', [...ids])
          .execute()
        await also(tx, rows)
      }),

    /** Crowds of one advertiser, or of all of the viewer's, that can still be restored; the latest deletion first. */
    async deleted(viewer: Viewer, adv_id?: number): Promise<DeletedCrowd[]> {
      if (adv_id !== undefined) viewer.mustBeMember(adv_id)
      const adv_ids = adv_id === undefined ? viewer.adv_ids : [adv_id]
      if (adv_ids.length === 0) return []
      const rows = await db
        .selectFrom((eb) =>
          eb
            .selectFrom(crowds)
            .select(['id', 'name', 'adv_id', 'dir_id', 'deleted_at', sql<number | null>`${sql.ref(size)}`.as('size')])
            .as('crowd'),
        )
        .innerJoin('advertiser', 'advertiser.id', 'crowd.adv_id')
        .innerJoin(
          (eb) => eb.selectFrom(folders).select(['id', 'name']).as('folder'),
          (join) => join.onRef('folder.id', '=', 'crowd.dir_id'),
        )
        .select([
          'crowd.id',
          'crowd.name',
          'crowd.adv_id',
          'advertiser.name as adv_name',
          'folder.name as dir_name',
          'crowd.size',
          'crowd.deleted_at',
        ])
        .where('crowd.adv_id', 'in', adv_ids)
        .where('crowd.deleted_at', '>', now() - RESTORE_SECONDS)
        .orderBy('crowd.deleted_at', 'desc')
        .orderBy('crowd.id', 'desc')
        .limit(DELETED_SHOWN_MAX)
        .$narrowType<{ deleted_at: number }>()
        .execute()
      return rows.map((row) => ({ ...row, until: row.deleted_at + RESTORE_SECONDS }))
    },

    /** Undoes deletions while the members are still kept. `also` is the rest of the transaction: it may still refuse. */
    async restore(
      viewer: Viewer,
      given: readonly number[],
      also: (tx: Transaction<Database>, rows: RestoredCrowd[]) => Promise<void>,
    ): Promise<void> {
      const ids = [...new Set(given)]
      const known = await db.selectFrom(crowds).select('adv_id').distinct().where('id', 'in', ids).execute()
      const adv_ids = known.map((row) => row.adv_id)
      if (!adv_ids.every((adv_id) => viewer.isMember(adv_id))) throw new AppError('restoreGone')
      await changeOf(adv_ids, async (tx) => {
        const rows = await tx
          .selectFrom(crowds)
          .select(['id', 'adv_id', 'name', 'dir_id'])
          .where('id', 'in', ids)
          .where('deleted_at', '>', now() - RESTORE_SECONDS)
          .orderBy('id')
          .forUpdate()
          .execute()
        if (rows.length < ids.length) throw new AppError('restoreGone')
        for (const { id, dir_id, name } of rows) {
          await mustHaveFolder(tx, dir_id)
          await mustBeFree(tx, dir_id, name)
          await tx.updateTable(crowds).set({ deleted_at: null }).where('id', '=', id).execute()
        }
        await also(tx, rows)
      })
    },
  }
}
