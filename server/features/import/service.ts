import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import {
  type ImportMapping,
  type ImportOfRows,
  type ImportReport,
  type ImportRow,
  type listImports,
  PREVIEW_LINES,
  type previewImport,
  type startImport,
} from '#contract/import.ts'
import { outcome, sentenceOf, sentenceOrNull } from '#contract/outcome.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import type { FileEngine } from '../../clickhouse/open.ts'
import { AppError } from '../../errors.ts'
import { kindOf } from '../../files/file-format.ts'
import { columnsOf, type FileHead, headOf } from '../../files/head.ts'
import { maskedLines, phonesFor } from '../../files/mask-phones.ts'
import type { SentFile } from '../../http/file-download.ts'
import type { Viewer } from '../../http/viewer.ts'
import { refusedPath } from '../../ingest/load.ts'
import { mustHaveColumns as mustHave } from '../../ingest/reading/plan.ts'
import { COMPARED_ROWS, comparedReports } from '../../ingest/report-preview.ts'
import { checkRows } from '../../ingest/row-check.ts'
import type { Jobs } from '../../jobs/open.ts'
import { audit } from '../../postgres/audit.ts'
import { isDatabaseAway } from '../../postgres/away.ts'
import type { Postgres } from '../../postgres/open.ts'
import type { Database, StoredReport, StoredRows } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import type { SharedFiles } from '../../storage/shared-files.ts'
import { now } from '../../time/clock.ts'
import { asAppError } from './failure.ts'
import { refusedName } from './jobs.ts'
import { knownTypes } from './known-types.ts'
import { linkedPlans } from './linked-plans.ts'
import { previewPlan, shownPreview, withoutPhones } from './preview.ts'
import { previewTurns } from './preview-turns.ts'
import { RUN } from './run-kind.ts'
import { undoObstacle, undoService } from './undo.ts'
import { PREVIEW_BYTES, type Uploads } from './uploads.ts'

interface Deps {
  db: Postgres['db']
  live: Handles
  fileEngine: FileEngine
  jobs: Jobs
  uploads: Uploads
  shared: SharedFiles
  dataDir: string
  timezone: string
}

const POLL_MS = 150
const ENDED: ReadonlySet<ImportRow['status']> = new Set(['done', 'failed', 'undone', 'undo_failed'])

/** Rows that an import has of others that were undone. */
const takenOver = sql<number>`(
  select coalesce(sum((heir->>'rows')::int), 0)::int
  from import as gone, jsonb_array_elements(gone.undo->'extent'->'taken_over') as heir
  where gone.adv_id = import.adv_id and gone.status = 'undone' and (heir->>'import_id')::int = import.id)`

const throwInWords = (error: unknown): never => {
  throw asAppError(error)
}

function shownReport({ reasons, warnings = [], ...counts }: StoredReport): ImportReport {
  const shown = (one: StoredRows) => {
    const because = 'outcome' in one ? one.outcome : outcome('legacy', { text: one.reason })
    return { reason: sentenceOf(because), outcome: because, rows: one.rows }
  }
  return {
    ...counts,
    reasons: reasons.map(shown),
    warnings: warnings.map((one) => ({ ...shown(one), data_rows: ('first' in one && one.first) || [] })),
  }
}

export function importService({ db, live, fileEngine, jobs, uploads, shared, dataDir, timezone }: Deps) {
  const rows = () =>
    db
      .selectFrom('import')
      .innerJoin('advertiser', 'advertiser.id', 'import.adv_id')
      .leftJoin('viewer', 'viewer.id', 'import.viewer_id')
      .leftJoin('viewer as undoer', (join) => join.on(sql`undoer.id`, '=', sql`(import.undo->>'viewer_id')::int`))
      .leftJoin('task', 'task.id', 'import.task_id')
      .selectAll('import')
      .select([
        'advertiser.name as adv_name',
        'viewer.realname as creator',
        'undoer.realname as undone_by',
        takenOver.as('taken_over'),
        'task.progress',
        'task.stage',
      ])
  type Found = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

  /** Undefined while the database is away; the import goes on. */
  const readRow = (id: number): Promise<ImportRow | undefined> =>
    rows()
      .where('import.id', '=', id)
      .executeTakeFirstOrThrow()
      .then(shownTo(null), (error: unknown) => {
        if (!isDatabaseAway(error)) throw error
        return undefined
      })

  /** `viewer` is null on the command line, where the owner of DATA_DIR asks. */
  const shownTo =
    (viewer: Viewer | null) =>
    (row: Found): ImportRow => ({
      id: row.id,
      adv_id: row.adv_id,
      adv_name: row.adv_name,
      kind: row.kind,
      file_name: row.file_name,
      size: row.size,
      status: row.status,
      progress: row.status === 'done' || row.status === 'undone' ? 1 : (row.progress ?? 0),
      stage: row.stage ?? '',
      mapping: row.mapping,
      report: row.report && shownReport(row.report),
      taken_over: row.taken_over,
      error: sentenceOrNull(row.error),
      error_outcome: row.error,
      rows_obstacle_outcome: viewer && rowsObstacle(viewer, row),
      creator: row.creator ?? '命令行',
      created_at: row.created_at,
      finished_at: row.finished_at,
      undo: row.undo && {
        asked_by: row.undone_by ?? '命令行',
        asked_at: row.undo.asked_at,
        finished_at: row.undo.finished_at,
        extent: row.undo.extent,
      },
      undo_obstacle: sentenceOrNull(undoObstacle(row)),
      undo_obstacle_outcome: undoObstacle(row),
    })

  interface Named {
    adv_id: number
    mapping: ImportMapping
    /** An upload's id, or a file's absolute path. */
    path: string
  }
  interface Wanted extends Named {
    file_name: string
    size: number
  }

  const inTurn = previewTurns()

  /** Runs `read` on the beginning of an upload in the viewer's turn. Parquet needs the whole file: its columns are at the end. */
  const readBeginning = <T>(
    viewer: Viewer,
    upload: { id: string; name: string },
    read: (path: string, signal: AbortSignal) => Promise<T>,
    given?: AbortSignal,
  ): Promise<T> =>
    inTurn(viewer.id, given, (signal) =>
      uploads.withBeginning(upload.id, { firstBytes: PREVIEW_BYTES, signal }, async (path, isWhole) => {
        if (isWhole || (await kindOf(path, upload.name)).format !== 'parquet') return read(path, signal)
        const all = { firstBytes: Number.POSITIVE_INFINITY, signal }
        return uploads.withBeginning(upload.id, all, (whole) => read(whole, signal))
      }),
    ).catch(throwInWords)

  /** Refuses a file that lacks a column of the mapping. */
  function mustHaveColumns(head: Pick<FileHead, 'format' | 'columns'>, mapping: ImportMapping) {
    // A line of NDJSON may lack a key that later lines have.
    if (head.format !== 'ndjson') mustHave(mapping, head.columns)
  }

  /** Refuses a file of the command line that cannot be read or does not match the mapping. */
  async function mustFit(path: string, mapping: ImportMapping) {
    mustHaveColumns(await columnsOf(fileEngine, path, basename(path)).catch(throwInWords), mapping)
  }

  /** The import already started with this upload, if any; refuses another advertiser or mapping. */
  async function startedBefore(tx: Kysely<Database>, viewer: Viewer, { adv_id, mapping, path }: Named) {
    const row = await tx
      .selectFrom('import')
      .select(['id', 'adv_id', 'mapping', 'status'])
      .where('path', '=', path)
      .where('viewer_id', '=', viewer.id)
      .where('status', 'in', ['waiting', 'running', 'done'])
      .orderBy('id', 'desc')
      .executeTakeFirst()
    if (row?.adv_id === adv_id && isDeepStrictEqual(row.mapping, mapping)) return row.id
    if (row && row.status !== 'done') throw new AppError('importBusy')
  }

  async function queue(viewer: Viewer | null, wanted: Wanted): Promise<number> {
    return transaction(db, async (tx) => {
      if (viewer) {
        await sql`select pg_advisory_xact_lock(hashtext('upload'), hashtext(${wanted.path}))`.execute(tx)
        const before = await startedBefore(tx, viewer, wanted)
        if (before !== undefined) return before
      }
      const { id } = await tx
        .insertInto('import')
        .values({
          adv_id: wanted.adv_id,
          kind: wanted.mapping.kind,
          file_name: wanted.file_name,
          path: wanted.path,
          size: wanted.size,
          mapping: JSON.stringify(wanted.mapping),
          status: 'waiting',
          viewer_id: viewer?.id ?? null,
          created_at: now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const sent = await jobs.send(
        tx,
        RUN,
        { id },
        {
          group: `advertiser:${wanted.adv_id}`,
          task: {
            title: `导入「${wanted.file_name}」`,
            adv_id: wanted.adv_id,
            viewer_id: viewer?.id ?? null,
            link: `/basic-manage/index/data-access?import_id=${id}`,
          },
        },
      )
      await tx.updateTable('import').set({ task_id: sent.task_id }).where('id', '=', id).execute()
      await audit(tx, viewer, 'import.start', { id, adv_id: wanted.adv_id, file_name: wanted.file_name })
      return id
    })
  }

  return {
    /** The first lines of an upload with what an import by the mapping would refuse or not use. */
    async preview(viewer: Viewer, body: z.output<typeof previewImport.body>, signal: AbortSignal) {
      const { upload_id, adv_id } = body
      if (adv_id !== undefined) viewer.mustBeMember(adv_id)
      const { name } = await uploads.forImport(viewer, upload_id)
      return readBeginning(
        viewer,
        { id: upload_id, name },
        async (path, until) => {
          const encoding = body.encoding ?? body.mapping?.encoding
          const compares = body.mapping?.kind === 'reports' && adv_id !== undefined
          // The engine would hold all cells of many rows of Parquet.
          const isText = compares && (await kindOf(path, name)).format !== 'parquet'
          const all = await headOf(fileEngine, path, name, isText ? COMPARED_ROWS : PREVIEW_LINES, until, encoding)
          const head = { ...all, rows: all.rows.slice(0, PREVIEW_LINES) }
          const plan = previewPlan(head, body)
          const { mapping } = plan
          const types = await knownTypes(db, adv_id, plan.kind)
          const at = { timezone, nowMs: Date.now(), signal: until }
          const hidesPhones = !viewer.see_phones
          const checked = mapping ? await checkRows(await fileEngine(), head, { mapping, types, ...at }) : []
          const shown = shownPreview(head, plan, checked, { hidesPhones })
          if (mapping?.kind !== 'reports' || adv_id === undefined) return { ...shown, reports: null }
          const linked = await linkedPlans(db, adv_id)
          const engines = { file: await fileEngine(), stored: live.acrossShards }
          const reports = await comparedReports(engines, all, { adv_id, mapping, linked, ...at })
          return { ...shown, reports: hidesPhones ? withoutPhones(reports) : reports }
        },
        signal,
      )
    },

    async start(viewer: Viewer, { adv_id, upload_id, mapping }: z.output<typeof startImport.body>) {
      viewer.mustBeMember(adv_id)
      mustNameNoPhones(viewer, mapping)
      // A call repeated after a lost answer starts no second import.
      const named = { adv_id, mapping, path: upload_id }
      const before = await startedBefore(db, viewer, named)
      if (before !== undefined) return { id: before }
      try {
        const { name, size } = await uploads.forImport(viewer, upload_id)
        const upload = { id: upload_id, name }
        mustHaveColumns(
          await readBeginning(viewer, upload, (path, until) =>
            columnsOf(fileEngine, path, name, until, mapping.encoding),
          ),
          mapping,
        )
        return { id: await queue(viewer, { ...named, file_name: name, size }) }
      } catch (error) {
        // A call at the same time may have begun the import, and its end removes the upload while this one reads it.
        const meanwhile = await startedBefore(db, viewer, named)
        if (meanwhile !== undefined) return { id: meanwhile }
        throw error
      }
    },

    mustFit,

    /** A file named on the command line by the owner of DATA_DIR. */
    async startFile(adv_id: number, path: string, mapping: ImportMapping): Promise<number> {
      const file_name = basename(path)
      await mustFit(path, mapping)
      const { size } = await stat(path)
      return queue(null, { adv_id, mapping, path, file_name, size })
    },

    /** Waits until an import has ended, and reports its progress. */
    async wait(id: number, signal: AbortSignal, progress: (share: number, stage: string) => void): Promise<ImportRow> {
      for (;;) {
        signal.throwIfAborted()
        const row = await readRow(id)
        if (row && ENDED.has(row.status)) return row
        if (row) progress(row.progress, row.stage)
        await pause(POLL_MS, undefined, { signal })
      }
    },

    async list(viewer: Viewer, { adv_id, page, page_size }: z.output<typeof listImports.query>) {
      if (adv_id !== undefined) viewer.mustBeMember(adv_id)
      const mine = adv_id === undefined ? [...viewer.adv_ids] : [adv_id]
      if (mine.length === 0) return { list: [], total: 0 }
      const [list, count] = await Promise.all([
        rows()
          .where('source', '=', 'file')
          .where('import.adv_id', 'in', mine)
          .orderBy('import.id', 'desc')
          .limit(page_size)
          .offset((page - 1) * page_size)
          .execute(),
        db
          .selectFrom('import')
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where('source', '=', 'file')
          .where('adv_id', 'in', mine)
          .executeTakeFirstOrThrow(),
      ])
      return { list: list.map(shownTo(viewer)), total: count.total }
    },

    /** The latest imports, of all advertisers or of one by its name; for the command line. */
    async latest(advertiser: string | undefined, most: number): Promise<ImportRow[]> {
      const all = rows().where('source', '=', 'file').orderBy('import.id', 'desc').limit(most)
      const found = await (advertiser === undefined ? all : all.where('advertiser.name', '=', advertiser)).execute()
      return found.map(shownTo(null))
    },

    async get(viewer: Viewer, id: number): Promise<ImportRow> {
      const row = await rows().where('import.id', '=', id).where('source', '=', 'file').executeTakeFirst()
      if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '导入记录' })
      return shownTo(viewer)(row)
    },

    /** The refused rows of an import, and the name of their download. */
    async refusedFile(viewer: Viewer, { id: given }: ImportOfRows): Promise<SentFile> {
      const id = Number(given)
      const row =
        Number.isSafeInteger(id) && id > 0 && id < 2 ** 31
          ? await db
              .selectFrom('import')
              .select(['adv_id', 'kind', 'file_name', 'viewer_id'])
              .where('id', '=', id)
              .executeTakeFirst()
          : undefined
      if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '导入记录' })
      const hidden = rowsObstacle(viewer, row)
      if (hidden) throw new AppError('importRowsHidden', { reason: hidden })
      const bytes = await shared.read(refusedPath(dataDir, id), refusedName(id))
      if (!bytes) throw new AppError('notFound', { what: '被拒绝的行' })
      return {
        name: `${row.file_name.replace(/\.[^.]*(\.gz)?$/, '')}-被拒绝的行.csv`,
        // The uploader already knows the phones in the file.
        content: viewer.see_phones || row.viewer_id === viewer.id ? bytes : maskedLines(bytes),
      }
    },

    refusedPath: (id: number) => refusedPath(dataDir, id),

    ...undoService({ db, live, jobs }),
  }
}

/** Why a viewer may not have the refused rows: those of reports hold costs and impressions, which their uploader knows. */
const rowsObstacle = (
  viewer: Pick<Viewer, 'id' | 'see_restricted'>,
  { kind, viewer_id }: Pick<ImportRow, 'kind'> & { viewer_id: number | null },
) =>
  kind === 'reports' && !viewer.see_restricted && viewer_id !== viewer.id ? outcome('import_rows_restricted') : null

/** A named value gets a tag if somebody has it, also somebody of an earlier file: a guessed phone would be confirmed. */
function mustNameNoPhones(viewer: Viewer, mapping: ImportMapping): void {
  if (mapping.kind !== 'users') return
  const entries = mapping.fields?.flatMap(({ dictionary = [] }) => dictionary) ?? []
  const say = phonesFor(viewer)
  if (entries.some(({ value, label }) => say(value) !== value || say(label) !== label)) {
    throw new AppError('phonesHidden', { reason: outcome('phone_as_value') })
  }
}
export type ImportService = ReturnType<typeof importService>
