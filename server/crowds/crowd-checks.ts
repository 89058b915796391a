import type { Kysely, Transaction } from 'kysely'
import { AppError } from '../errors.ts'
import type { Viewer } from '../http/viewer.ts'
import type { Database } from '../postgres/schema.ts'
import { transaction } from '../postgres/transaction.ts'
import { lockCrowdsOfAll } from './crowd-lock.ts'
import { CROWDS, type CrowdKind } from './kinds.ts'

/** Checks before a change of crowds, and the locks that keep their answers true until the transaction ends. */
export function crowdChecks<Row extends { id: number; adv_id: number }>(
  db: Kysely<Database>,
  kind: CrowdKind,
  /** The crowds with these ids that are not deleted. */
  rowsOf: (tx: Kysely<Database>, ids: readonly number[]) => Promise<Row[]>,
) {
  const { crowds, folders, what } = CROWDS[kind]

  /** Locks the advertisers' crowds of both kinds, so that quotas, names and cycles stay as checked. */
  const changeOf = <T>(adv_ids: readonly number[], work: (tx: Transaction<Database>) => Promise<T>) =>
    transaction(db, async (tx) => {
      await lockCrowdsOfAll(tx, adv_ids)
      return work(tx)
    })

  async function mustFindAll(tx: Kysely<Database>, viewer: Viewer, ids: readonly number[]): Promise<Row[]> {
    const wanted = [...new Set(ids)]
    const rows = await rowsOf(tx, wanted)
    if (rows.length < wanted.length || rows.some((row) => !viewer.isMember(row.adv_id))) {
      throw new AppError('notFound', { what })
    }
    return rows
  }

  return {
    changeOf,
    mustFindAll,

    async change<T>(viewer: Viewer, ids: readonly number[], work: (tx: Transaction<Database>) => Promise<T>) {
      const rows = await mustFindAll(db, viewer, ids)
      return changeOf(
        rows.map((row) => row.adv_id),
        work,
      )
    },

    async mustFind(tx: Kysely<Database>, viewer: Viewer, id: number): Promise<Row> {
      const [row] = await mustFindAll(tx, viewer, [id])
      if (!row) throw new AppError('notFound', { what })
      return row
    },

    /** Locks the folder too: advertisers share it, and a free name stays free until the transaction ends. */
    async mustHaveFolder(tx: Kysely<Database>, dir_id: number): Promise<{ name: string }> {
      const folder = await tx.selectFrom(folders).select('name').where('id', '=', dir_id).forUpdate().executeTakeFirst()
      if (!folder) throw new AppError('notFound', { what: '文件夹' })
      return folder
    },

    async mustBeFree(tx: Kysely<Database>, dir_id: number, name: string, except: readonly number[] = []) {
      const taken = await tx
        .selectFrom(crowds)
        .select('id')
        .where('dir_id', '=', dir_id)
        .where('name', '=', name)
        .where('deleted_at', 'is', null)
        .where('id', 'not in', [0, ...except])
        .executeTakeFirst()
      if (taken) throw new AppError('nameTaken')
    },
  }
}
