import { readdir, rm, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { Kysely, Transaction } from 'kysely'
import type { ImportStatus } from '#contract/import.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import { isWarehouseAway } from '../../clickhouse/engine-error.ts'
import type { Warehouse } from '../../clickhouse/open.ts'
import { AppError } from '../../errors.ts'
import { FileFault } from '../../files/file-fault.ts'
import type { TombstoneTokens } from '../../identifiers/tombstones.ts'
import { type Loader, refusedPath, workDirectory } from '../../ingest/load.ts'
import type { LoadedData, LoadRun, NewData } from '../../ingest/load-types.ts'
import { dropStage, stagedImports, stages } from '../../ingest/stage.ts'
import { traitsFileOf } from '../../ingest/tracking/load-traits.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Postgres } from '../../postgres/open.ts'
import type { Database, StoredBrought, StoredReport, StoredSetting } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { isDiskFull } from '../../storage/disk-full.ts'
import type { SharedFiles } from '../../storage/shared-files.ts'
import { now } from '../../time/clock.ts'
import { type AdvertiserLock, advertiserLocks } from './advertiser-lock.ts'
import { asAppError, outcomeOf, retriesOf } from './failure.ts'
import { makeKnown, settleFields } from './known-fields.ts'
import { knownTypes } from './known-types.ts'
import { linkedPlans } from './linked-plans.ts'
import { type ImportJob, RUN } from './run-kind.ts'
import { trackedMessages } from './tracked-messages.ts'
import { UNDO_PHASE, type UndoDeps, type UndoingJob, undoRun } from './undo-run.ts'
import type { Uploads } from './uploads.ts'

const SWEEP = 'import.sweep'
const CONCURRENCY = 4
const RETRY_DELAY_S = 2
const REFUSED_KEPT_MS = 30 * 86_400_000
/** The name of a copy of refused rows in the object store. */
const REFUSED_PREFIX = 'refused-'
export const refusedName = (id: number) => `${REFUSED_PREFIX}${id}.csv`
const REFUSED_FILE = /^refused-(\d+)\.csv$/

interface Deps {
  postgres: Postgres
  warehouse: Pick<Warehouse, 'load'>
  jobs: Jobs
  loader: Loader
  uploads: Uploads
  shared: SharedFiles
  dataDir: string
  /** Makes and refreshes the tags of the new data. Called again after a kill. */
  onData(adv_id: number, data: NewData, of: Pick<Row, 'viewer_id' | 'source'>): Promise<void>
  onUndone: UndoDeps['onUndone']
  /** An import of tracked messages has ended, in the transaction in which it ends. */
  onCounted(tx: Transaction<Database>, of: { adv_id: number } & Pick<LoadedData, 'reasons' | 'warnings'>): Promise<void>
  timezone: string
  /** The key that encrypts people's phones and device ids. */
  personKey: Buffer
  /** Makes the tokens by which messages of forgotten people are refused. */
  tombstones: TombstoneTokens
}

/** In state `join` and later the file has been read; another run of the job only finishes the import. */
type State = { phase: 'join'; began: number; loaded: LoadedData; settled?: StoredSetting[] }
type Row = Awaited<ReturnType<typeof findRow>>

export function openImportJobs(deps: Deps) {
  const { postgres, warehouse, jobs, loader, uploads, shared, dataDir, timezone, onData, onUndone, onCounted } = deps
  const { db } = postgres
  const locks = advertiserLocks(postgres)

  const undoing = undoRun({ db, warehouse, timezone, onUndone })
  const messages = trackedMessages(deps)

  jobs.handle<ImportJob>(
    RUN,
    {
      concurrency: CONCURRENCY,
      retries: retriesOf,
      retryDelaySeconds: RETRY_DELAY_S,
      outcomeOf,
      async retried(tx, { data }) {
        if (data.undo) await undoing.retried(tx, data.id)
        else await setStatus(tx, data.id, 'waiting')
      },
      async failed(tx, { data }, why) {
        if (data.undo) return undoing.failed(tx, data.id)
        const failed = await tx
          .updateTable('import')
          .set({ status: 'failed', error: why, finished_at: now() })
          .where('id', '=', data.id)
          .where('status', 'in', UNFINISHED)
          .returning(['source', 'adv_id'])
          .executeTakeFirst()
        // No viewer sees its task, and it is sent again by itself.
        if (failed?.source === 'tracking')
          console.error(`广告主 ${failed.adv_id} 的消息未能计入，稍后再试：${sentenceOf(why)}`)
      },
    },
    async (job) => {
      const { adv_id } = await findRow(db, job.data.id)
      job.task.progress(0, '等待开始')
      await locks.withLock(adv_id, async (lock) => {
        job.signal.throwIfAborted()
        await settleOthers(adv_id, job, job.data.id)
        if (job.data.undo) return undoing.run(job)
        const row = await findRow(db, job.data.id)
        if (!UNFINISHED.includes(row.status)) return
        await job.step((tx) => setStatus(tx, row.id, 'running'))
        const state = stateOf(row) ?? (await fill(row, job, lock))
        job.task.progress(0.93, '并入数据')
        await joinTables(row, state, stateOf(row) !== null)
        job.task.progress(0.98, '更新标签')
        await job.finish((tx) => end(tx, row, state))
        await tidy(row)
      })
    },
  )

  jobs.handle(SWEEP, { concurrency: 1 }, () => sweep())
  jobs.schedule(SWEEP, '40 * * * *', 'UTC')

  type Job = Parameters<Parameters<typeof jobs.handle<ImportJob>>[2]>[0]

  /** Reads the file into the import's stages; a failure leaves nothing behind. */
  async function fill(row: Row, job: Job, lock: AdvertiserLock): Promise<State> {
    const began = Date.now()
    const loaded = await read(row, began, job)
    const state: State = { phase: 'join', began, loaded }
    // Before `job.step` checks the hold on the job.
    await lock.takeAgainIfLost()
    // If the answer is lost, the row may have been updated, so the stages must stay.
    await job.step((tx) =>
      tx
        .updateTable('import')
        .set({ state: JSON.stringify(state) })
        .where('id', '=', row.id)
        .execute(),
    )
    return state
  }

  async function pathOf(upload_id: string, signal: AbortSignal): Promise<string> {
    try {
      return (await uploads.open(upload_id, signal)).path
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw new FileFault(error.fault === 'notFound' ? outcome('file_missing') : error.outcome)
    }
  }

  async function read(row: Row, began: number, job: Job): Promise<LoadedData> {
    try {
      const [attributes, types, linked, { last_uid }] = await Promise.all([
        db.selectFrom('attribute').select(['name', 'slot']).where('adv_id', '=', row.adv_id).execute(),
        knownTypes(db, row.adv_id, row.kind),
        row.kind === 'reports' ? linkedPlans(db, row.adv_id) : [],
        db.selectFrom('advertiser').select('last_uid').where('id', '=', row.adv_id).executeTakeFirstOrThrow(),
      ])
      const of = {
        import_id: row.id,
        adv_id: row.adv_id,
        nowMs: began,
        attributes,
        types,
        linked,
        lastUid: Number(last_uid),
      }
      const run: LoadRun = { signal: job.signal, progress: (share, stage) => job.task.progress(share, stage) }
      if (row.source === 'tracking' && row.kind !== 'reports')
        return await messages.load({ ...of, kind: row.kind }, run)
      // Rows of earlier versions have no path once their file was removed.
      if (row.path === null) throw new FileFault(outcome('file_removed'))
      const loaded = await loader.loadFile(
        {
          ...of,
          mapping: row.mapping,
          path: isAbsolute(row.path) ? row.path : await pathOf(row.path, job.signal),
          file_name: row.file_name,
        },
        run,
      )
      if (loaded.refused > 0) await shared.share(refusedPath(dataDir, row.id), refusedName(row.id), job.signal)
      return loaded
    } catch (error) {
      if (job.signal.aborted) throw error
      await rm(refusedPath(dataDir, row.id), { force: true })
      await dropStage(warehouse.load.everyShard, row.id).catch((left: unknown) => {
        if (!isWarehouseAway(left)) console.error(`导入 ${row.id} 的临时表未能清理，稍后会再清理`, left)
      })
      throw isDiskFull(error) ? new AppError('importDiskFull') : asAppError(error)
    }
  }

  /** Joins the stages to the tables and makes the tags of the new data. Each step may be repeated. */
  async function joinTables(row: Row, state: State, isAgain: boolean): Promise<void> {
    const { loaded } = state
    // Of a file that only repeats stored rows these are kept too: they take effect if the rows they repeat are undone.
    await stages(warehouse.load.everyShard, row.kind, row.id).join({ isAgain })
    // No person, field or tag comes of a report.
    if (row.kind === 'reports') return
    const settled = await transaction(db, async (tx) => {
      if (loaded.stored > 0) await makeKnown(tx, row.adv_id, loaded)
      const made = await settleFields(tx, row.adv_id, row.mapping, loaded)
      // A run before this one, that was killed, knows what was there before.
      state.settled ??= made
      await tx
        .updateTable('import')
        .set({ state: JSON.stringify(state) })
        .where('id', '=', row.id)
        .execute()
      return made
    })
    const merged = await messages.merge(row)
    if (loaded.stored > 0) await onData(row.adv_id, loaded, row)
    else {
      const attributes = [...new Set(settled.flatMap(({ attribute }) => attribute ?? []))].map((name) => ({ name }))
      if (attributes.length > 0) await onData(row.adv_id, { attributes, events: [], days: [] }, row)
    }
    if (merged) await onData(row.adv_id, merged, row)
  }

  async function end(tx: Transaction<Database>, row: Row, { began, loaded, settled = [] }: State): Promise<void> {
    const { attributes, events, days, brought, ...counted } = loaded
    const report: StoredReport = { ...counted, took_ms: Math.max(0, Date.now() - began) }
    // Missing if an earlier version read the file.
    const stored: StoredBrought | null = brought ? { ...brought, began: Math.floor(began / 1000), settled } : null
    await tx
      .updateTable('import')
      .set({
        status: 'done',
        report: JSON.stringify(report),
        brought: stored && JSON.stringify(stored),
        error: null,
        state: null,
        finished_at: now(),
      })
      .where('id', '=', row.id)
      .execute()
    if (row.source === 'tracking') {
      const { reasons, warnings } = loaded
      await onCounted(tx, { adv_id: row.adv_id, reasons, warnings })
    }
  }

  async function tidy(row: Row): Promise<void> {
    await dropStage(warehouse.load.everyShard, row.id)
    // Files named on the command line are kept; an upload is removed unless another import reads it.
    if (row.path === null || isAbsolute(row.path)) return
    const other = await db
      .selectFrom('import')
      .select('id')
      .where('path', '=', row.path)
      .where('status', 'in', ['waiting', 'running'])
      .executeTakeFirst()
    if (!other) await uploads.remove(row.path)
  }

  /**
   * Finishes an import of the advertiser that was killed while joining its stages, since its people are already numbered,
   * and an undo that was killed half-way, since its rows must not make others duplicates.
   */
  async function settleOthers(adv_id: number, job: UndoingJob, own: number | null): Promise<void> {
    const rows = await db
      .selectFrom('import')
      .select('id')
      .where('adv_id', '=', adv_id)
      .$if(own !== null, (query) => query.where('id', '!=', own))
      .where('state', 'is not', null)
      .where('status', '!=', 'done')
      .orderBy('id')
      .execute()
    for (const other of rows) {
      const row = await findRow(db, other.id)
      const state = stateOf(row)
      if (row.state?.phase === UNDO_PHASE) await undoing.settle(row.id, job)
      if (state) {
        await joinTables(row, state, true)
        await job.step((tx) => end(tx, row, state))
        await tidy(row)
      }
      const { task_id } = row
      if (task_id !== null) await transaction(db, (tx) => jobs.endFailed(tx, task_id))
    }
  }

  /** Removes the leftovers of killed and failed imports. */
  async function sweep(): Promise<void> {
    await shared.sweep(REFUSED_PREFIX, Date.now() - REFUSED_KEPT_MS)
    // Listed before the rows are read, so that an import that begins meanwhile is not listed.
    const staged = await stagedImports(warehouse.load.everyShard)
    const made = await readdir(join(dataDir, 'import')).catch(unlessMissing)
    const rows = await db
      .selectFrom('import')
      .select('id')
      .where('status', '!=', 'done')
      .where((eb) => eb.or([eb('status', 'in', ['waiting', 'running']), eb('state', 'is not', null)]))
      .execute()
    const open = new Set(rows.map((row) => row.id))
    for (const id of staged) if (!open.has(id)) await dropStage(warehouse.load.everyShard, id)
    for (const name of made) {
      if (/^\d+$/.test(name) && !open.has(Number(name))) {
        await rm(workDirectory(dataDir, Number(name)), { recursive: true, force: true })
      }
      const traits = traitsFileOf(name)
      if (traits !== null && !open.has(traits)) await rm(join(dataDir, 'import', name), { force: true })
      const refused = REFUSED_FILE.exec(name)?.[1]
      if (refused === undefined || open.has(Number(refused))) continue
      const path = refusedPath(dataDir, Number(refused))
      // Another process may have removed it.
      const found = await stat(path).catch(() => null)
      if (found && found.mtimeMs < Date.now() - REFUSED_KEPT_MS) await rm(path, { force: true })
    }
  }

  /** Retries imports that failed after their rows were stored, and undos that failed: the cause may be gone. */
  async function catchUp(): Promise<void> {
    const rows = await db
      .selectFrom('import')
      .select('task_id')
      .where((eb) =>
        eb.or([eb.and([eb('status', '=', 'failed'), eb('state', 'is not', null)]), eb('status', '=', 'undo_failed')]),
      )
      .orderBy('id')
      .execute()
    for (const { task_id } of rows) {
      if (task_id !== null) await transaction(db, (tx) => jobs.retry(tx, task_id))
    }
  }

  return {
    sweep,
    catchUp,
    queueTracked: messages.queue,
    sendTrackedAgain: messages.sendAgain,

    /** Runs `work` while no import of the advertiser is under way or half-way joined. */
    whileResting: <T>(job: UndoingJob, adv_id: number, work: () => Promise<T>): Promise<T> =>
      locks.withLock(adv_id, async () => {
        job.signal.throwIfAborted()
        await settleOthers(adv_id, job, null)
        return work()
      }),
  }
}

async function findRow(db: Kysely<Database>, id: number) {
  return db.selectFrom('import').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** No names when the directory does not exist yet, as before the first import. */
function unlessMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** Another import may have finished it since its task failed, and it may be undone by now. */
const UNFINISHED: readonly ImportStatus[] = ['waiting', 'running', 'failed']

async function setStatus(tx: Transaction<Database>, id: number, status: 'waiting' | 'running'): Promise<void> {
  await tx
    .updateTable('import')
    .set({ status, error: null, finished_at: null })
    .where('id', '=', id)
    .where('status', 'in', UNFINISHED)
    .execute()
}

const stateOf = (row: Row): State | null => (row.state?.phase === 'join' ? (row.state as State) : null)
