import type { Transaction } from 'kysely'
import { AppError } from '../errors.ts'
import type { Viewer } from '../http/viewer.ts'
import type { Database } from '../postgres/schema.ts'
import type { crowdChecks } from './crowd-checks.ts'
import { CROWDS, type CrowdKind } from './kinds.ts'

type Checks<Row extends { id: number; adv_id: number }> = ReturnType<typeof crowdChecks<Row>>

/**
 * Moves crowds into a folder, all or none; those that are in it already stay as they are. `also` is the rest of the
 * transaction.
 */
export const crowdMove =
  <Row extends { id: number; adv_id: number; name: string }>(
    kind: CrowdKind,
    { change, mustFindAll, mustHaveFolder, mustBeFree }: Checks<Row>,
    folderOf: (row: Row) => number,
    also: (tx: Transaction<Database>, viewer: Viewer, ids: number[], to: { id: number; name: string }) => Promise<void>,
  ) =>
  (viewer: Viewer, given: readonly number[], dir_id: number): Promise<void> =>
    change(viewer, given, async (tx) => {
      const { name } = await mustHaveFolder(tx, dir_id)
      const crowds = await mustFindAll(tx, viewer, given)
      const moving = crowds.filter((crowd) => folderOf(crowd) !== dir_id)
      for (const crowd of moving) await mustBeFree(tx, dir_id, crowd.name, [crowd.id])
      if (new Set(moving.map((crowd) => crowd.name)).size < moving.length) throw new AppError('nameTaken')
      const ids = moving.map((crowd) => crowd.id)
      if (ids.length === 0) return
      await tx.updateTable(CROWDS[kind].crowds).set({ dir_id }).where('id', 'in', ids).execute()
      await also(tx, viewer, ids, { id: dir_id, name })
    })
