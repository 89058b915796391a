import type { Kysely, Transaction } from 'kysely'
import type { UndoExtent } from '#contract/import.ts'
import { outcome } from '#contract/outcome.ts'
import type { Warehouse } from '../../clickhouse/open.ts'
import { extentOf } from '../../ingest/undo/extent.ts'
import { reportExtentOf, undoReports } from '../../ingest/undo/reports.ts'
import { undoRows } from '../../ingest/undo/undo.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import type { Database, StoredBrought, StoredUndo } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

/** An import whose rows may be gone in part: the undo must end before anything else is imported. */
export const UNDO_PHASE = 'undo'

/** An import whose rows are gone, with what it had brought. */
export interface UndoneData extends StoredBrought {
  adv_id: number
  import_id: number
  /** Imports that took over rows. */
  heirs: number[]
}

export interface UndoDeps {
  db: Kysely<Database>
  warehouse: Pick<Warehouse, 'load'>
  timezone: string
  /** Removes what only this import needed, and refreshes tags and crowds. Called again after a kill. */
  onUndone(data: UndoneData, viewer_id: number | null, job: UndoingJob): Promise<void>
}

/** The job in which an import is undone: its own, or a later one of the advertiser's that ends what it left half-way. */
export type UndoingJob = Pick<RunningJob<object>, 'signal' | 'step' | 'task'>

/** Undoes imports. Every step may be repeated, so a job that was killed starts over. */
export function undoRun({ db, warehouse: { load }, timezone, onUndone }: UndoDeps) {
  const find = (id: number) => db.selectFrom('import').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  type Row = Awaited<ReturnType<typeof find>>

  /** Counts what goes and remembers the greatest number of a person, before the first row goes. */
  async function begin(row: Row, { signal, step }: UndoingJob): Promise<UndoExtent> {
    if (row.state?.phase === UNDO_PHASE && row.undo?.extent) return row.undo.extent
    const { id, adv_id, kind } = row
    const extent =
      kind === 'reports'
        ? await reportExtentOf(load.acrossShards, { id, adv_id }, { signal })
        : await extentOf(load.acrossShards, { id, adv_id, kind }, { signal })
    const [last] = await load.acrossShards.query<{ uid: number }>(
      'SELECT max(uid) AS uid FROM person_key WHERE adv_id = {adv_id:UInt32}',
      { adv_id: row.adv_id },
    )
    await step(async (tx) => {
      await tx
        .updateTable('advertiser')
        .set((eb) => ({ last_uid: eb.fn<number>('greatest', ['last_uid', eb.val(last?.uid ?? 0)]) }))
        .where('id', '=', row.adv_id)
        .execute()
      const undo: StoredUndo = { ...(row.undo ?? { viewer_id: null, asked_at: now() }), finished_at: null, extent }
      await tx
        .updateTable('import')
        .set({ undo: JSON.stringify(undo), state: JSON.stringify({ phase: UNDO_PHASE }) })
        .where('id', '=', row.id)
        .execute()
    })
    return extent
  }

  async function undo(row: Row, job: UndoingJob) {
    const { id, adv_id, kind, brought } = row
    if (!brought) throw new Error(`import ${id} is of an earlier version`)
    const { taken_over } = await begin(row, job)
    if (kind === 'reports') {
      job.task.progress(0.5, '移除数据')
      return undoReports(load.everyShard, { id, adv_id })
    }
    const { last_uid } = await db
      .selectFrom('advertiser')
      .select('last_uid')
      .where('id', '=', adv_id)
      .executeTakeFirstOrThrow()
    const { signal } = job
    const progress = (share: number, stage: string) => job.task.progress(share, stage)
    const of = { id, adv_id, kind }
    const heirs = taken_over.map((one) => one.import_id)
    await undoRows({ load, of, heirs, timezone, lastUid: Number(last_uid), signal, progress })
    progress(0.85, '更新标签和人群')
    await onUndone({ ...brought, adv_id, import_id: id, heirs }, row.undo?.viewer_id ?? null, job)
  }

  async function end(tx: Transaction<Database>, id: number) {
    const row = await tx.selectFrom('import').select('undo').where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
    await tx
      .updateTable('import')
      .set({
        status: 'undone',
        state: null,
        error: null,
        undo: row.undo && JSON.stringify({ ...row.undo, finished_at: now() }),
      })
      .where('id', '=', id)
      .execute()
  }

  return {
    async run(job: RunningJob<{ id: number }>): Promise<void> {
      const row = await find(job.data.id)
      if (row.status === 'undone') return
      await undo(row, job)
      await job.finish((tx) => end(tx, row.id))
    },

    /** Ends an undo that another job left half-way. */
    async settle(id: number, job: UndoingJob): Promise<void> {
      await undo(await find(id), job)
      await job.step((tx) => end(tx, id))
    },

    async retried(tx: Transaction<Database>, id: number): Promise<void> {
      await tx
        .updateTable('import')
        .set({ status: 'undoing', error: null })
        .where('id', '=', id)
        .where('status', '=', 'undo_failed')
        .execute()
    },

    async failed(tx: Transaction<Database>, id: number): Promise<void> {
      await tx
        .updateTable('import')
        .set({ status: 'undo_failed', error: outcome('import_undo_failed') })
        .where('id', '=', id)
        .where('status', '=', 'undoing')
        .execute()
    },
  }
}
