import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { CntType } from '#contract/audience.ts'
import type { CrowdLog, FileOfLines, listCrowdFiles, listCrowdLogs } from '#contract/custom-crowd.ts'
import { outcome, sentenceOf, sentenceOrNull } from '#contract/outcome.ts'
import { AppError } from '../../errors.ts'
import { maskedLines } from '../../files/mask-phones.ts'
import type { SentFile } from '../../http/file-download.ts'
import type { Viewer } from '../../http/viewer.ts'
import { textHolds } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'
import type { CustomChecks } from './crowd-checks.ts'
import type { Identifiers } from './deps.ts'

interface Deps {
  db: Kysely<Database>
  checks: CustomChecks
  identifiers: Pick<Identifiers, 'readMalformed'>
}

const OPERATIONS = { create: null, append: 1, remove: 2, restore: null } as const

/** Files and update records of a crowd. */
export function crowdHistory({ db, checks, identifiers }: Deps) {
  /** The crowd with this id; with a `cnt_type`, the crowd of the child with this id. */
  async function crowdOf(viewer: Viewer, id: number, cnt_type: CntType | undefined) {
    if (cnt_type === undefined) return { crowd: await checks.mustFind(db, viewer, id), child_id: null }
    const child = await db
      .selectFrom('audience')
      .innerJoin('custom_crowd', 'custom_crowd.id', 'audience.custom_id')
      .select(['custom_crowd.id as custom_id', 'custom_crowd.adv_id'])
      .where('audience.id', '=', id)
      .where('audience.cnt_type', '=', cnt_type)
      .where('audience.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!child || !viewer.isMember(child.adv_id)) throw new AppError('notFound', { what: '子人群' })
    return { crowd: await checks.mustFind(db, viewer, child.custom_id), child_id: id }
  }

  return {
    async files(viewer: Viewer, query: z.output<typeof listCrowdFiles.query>) {
      const { crowd } = await crowdOf(viewer, query.id, query.cnt_type)
      let rows = db.selectFrom('crowd_file').where('crowd_id', '=', crowd.id)
      if (query.name) rows = rows.where(textHolds(viewer, sql.ref('name'), query.name))
      if (query.op_at) rows = rows.where('created_at', '>=', query.op_at[0]).where('created_at', '<=', query.op_at[1])
      const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const files = await rows
        .selectAll()
        .orderBy('id', 'desc')
        .limit(query.page_size)
        .offset((query.page - 1) * query.page_size)
        .execute()
      return {
        total_files_num: total,
        files: files.map((file) => ({
          id: file.id,
          name: file.name,
          user_id_type: crowd.user_id_type,
          size: file.size,
          status: file.status,
          error: sentenceOrNull(file.error),
          error_outcome: file.error,
          ...(file.status === 'done' ? countsOf(file) : NO_COUNTS),
          reasons: file.reasons.map((one) => ({
            ...one,
            // Reports of earlier versions listed all lines.
            listed: one.listed ?? one.lines,
            outcome: one.outcome ?? outcome('legacy', { text: one.reason }),
          })),
          hashed: file.hashed,
          choice: file.choice,
          unread_members: file.unread.map(({ name, error }) => ({
            name,
            error: sentenceOf(error),
            error_outcome: error,
          })),
          version: file.version,
          op_at: file.created_at,
        })),
      }
    },

    async logs(viewer: Viewer, query: z.output<typeof listCrowdLogs.query>) {
      const { crowd, child_id } = await crowdOf(viewer, query.id, query.cnt_type)
      let rows = db.selectFrom('custom_log').where('custom_log.crowd_id', '=', crowd.id)
      if (query.op_type !== undefined)
        rows = rows.where('custom_log.op_type', '=', query.op_type as 0 | 1 | 2 | 3 | 4 | 5)
      if (child_id !== null) {
        rows = rows.where((eb) =>
          eb.or([eb('custom_log.child_id', 'is', null), eb('custom_log.child_id', '=', child_id)]),
        )
      }
      const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const logs = await rows
        // The current version is read with the states: read before, a version that just became current would not be it.
        .innerJoin('custom_crowd', 'custom_crowd.id', 'custom_log.crowd_id')
        .leftJoin('viewer', 'viewer.id', 'custom_log.viewer_id')
        .leftJoin('custom_version as made', (join) =>
          join
            .onRef('made.crowd_id', '=', 'custom_log.crowd_id')
            .onRef('made.no', '=', 'custom_log.version')
            // Entries of pushes name a version too, but did not make it.
            .on('custom_log.op_type', 'in', [1, 2]),
        )
        .select([
          'custom_log.id',
          'custom_log.op_type',
          'custom_log.what',
          'custom_log.op_at',
          'custom_crowd.version as current',
          sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username, '系统')`.as('op_by'),
          'made.no',
          'made.kind',
          'made.status',
          'made.restored_from',
          'made.lines',
          'made.valid',
          'made.duplicate',
          'made.malformed',
          'made.size',
          'made.error',
        ])
        .orderBy('custom_log.id', 'desc')
        .limit(query.page_size)
        .offset((query.page - 1) * query.page_size)
        .execute()
      const files = await filesOf(
        db,
        crowd.id,
        logs.flatMap((log) => log.no ?? []),
      )
      return {
        total,
        list: logs.map(
          (log): CrowdLog => ({
            id: log.id,
            op_type: log.op_type,
            what: log.what,
            operation_type: log.kind === null ? null : OPERATIONS[log.kind],
            user_id_type: crowd.user_id_type,
            op_at: log.op_at,
            op_by: log.op_by,
            original_files: files.filter((file) => file.version === log.no).map(({ name, size }) => ({ name, size })),
            version:
              log.no === null || log.status === null
                ? null
                : {
                    no: log.no,
                    status: log.status,
                    lines: log.lines,
                    valid: log.valid,
                    duplicate: log.duplicate,
                    malformed: log.malformed,
                    size: log.size,
                    is_current: log.no === log.current,
                    can_restore: log.status === 'done' && log.no !== log.current,
                    error: sentenceOrNull(log.error),
                    error_outcome: log.error,
                    restored_from: log.restored_from,
                  },
          }),
        ),
      }
    },

    /** The malformed lines of a file that the viewer may see. */
    async malformed(viewer: Viewer, { id }: FileOfLines): Promise<SentFile> {
      const file_id = /^\d{1,9}$/.test(id) ? Number(id) : 0
      const file = await db
        .selectFrom('crowd_file')
        .innerJoin('custom_crowd', 'custom_crowd.id', 'crowd_file.crowd_id')
        .select(['crowd_file.name', 'custom_crowd.adv_id'])
        .where('crowd_file.id', '=', file_id)
        .where('custom_crowd.deleted_at', 'is', null)
        .executeTakeFirst()
      const isTheirs = file && viewer.isMember(file.adv_id)
      const bytes = isTheirs ? await identifiers.readMalformed(file_id) : null
      if (!isTheirs || !bytes) throw new AppError('notFound', { what: '无效行' })
      return {
        name: `${file.name.replace(/\.[^.]*$/, '')}-无效行.csv`,
        content: viewer.see_phones ? bytes : maskedLines(bytes),
      }
    },
  }
}

const NO_COUNTS = { line_count: null, valid_count: null, duplicate: null, malformed: null }

const countsOf = (file: {
  line_count: number | null
  valid_count: number | null
  duplicate: number | null
  malformed: number | null
}) => ({
  line_count: file.line_count,
  valid_count: file.valid_count,
  duplicate: file.duplicate,
  malformed: file.malformed,
})

const filesOf = (db: Kysely<Database>, crowd_id: number, versions: readonly number[]) =>
  db
    .selectFrom('crowd_file')
    .select(['version', 'name', 'size'])
    .where('crowd_id', '=', crowd_id)
    .where('version', 'in', [0, ...versions])
    .orderBy('id')
    .execute()
