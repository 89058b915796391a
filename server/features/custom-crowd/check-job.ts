import type { Kysely, Transaction } from 'kysely'
import { takesWholeLines } from '#contract/identifier-column.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { noteSize } from '../../crowds/crowd-sizes.ts'
import type { OnVersion } from '../../crowds/kinds.ts'
import { AppError } from '../../errors.ts'
import type { CheckedText, FileReport } from '../../identifiers/types.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { isDiskFull } from '../../storage/disk-full.ts'
import { now } from '../../time/clock.ts'
import type { Identifiers, Uploads } from './deps.ts'
import { importsEnded, type Matching } from './match-job.ts'

export const CHECK = 'custom.check'
/** Versions checked at once in this process; an advertiser's versions are checked one after the other. */
const CONCURRENCY = 2
/** The share of the progress bar that reading files takes. */
const CHECK_SHARE = 0.7
/** The progress at which the version is written. */
const BUILD_SHARE = 0.97
const UNREADABLE_NAMED = 3

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  uploads: Uploads
  identifiers: Identifiers
  onVersion: OnVersion
  matchMissed: Matching['matchMissed']
}

type Job = RunningJob<{ crowd_id: number; no: number }>
type Work = NonNullable<Awaited<ReturnType<typeof begin>>>

/**
 * Checks the files of a version and builds it. After a kill it starts over, unless the transaction that puts the version
 * into force is already committed.
 */
export function checkJob(deps: Deps) {
  const { db, jobs, uploads, identifiers, onVersion, matchMissed } = deps
  jobs.handle<{ crowd_id: number; no: number }>(
    CHECK,
    {
      concurrency: CONCURRENCY,
      retries: (error) => (isDiskFull(error) ? 0 : 3),
      retryDelaySeconds: 2,
      outcomeOf: (error) => outcome(isDiskFull(error) ? 'check_disk_full' : 'check_unexpected'),
      retried: reopen,
      failed: (tx, { data }, why) => fail(tx, data, why),
    },
    async (job) => {
      const work = await job.step((tx) => begin(tx, job.data))
      if (!work) return
      const tombstones = await tombstonesOf(db, work.adv_id)
      const counted = work.kind === 'restore' ? {} : await check(job, work)
      job.task.progress(CHECK_SHARE, work.kind === 'restore' ? '恢复版本' : '去重并保存')
      const since = { counted_at: now(), ended: await importsEnded(db, work.adv_id) }
      const { size, matched } = await identifiers.build(work, {
        signal: job.signal,
        progress: (share, stage) => job.task.progress(CHECK_SHARE + share * (BUILD_SHARE - CHECK_SHARE), stage),
      })
      const found = { matched, tombstones, ...since }
      const isCurrent = await job.finish((tx) => end(tx, work, { ...counted, size }, found), {
        size,
        matched,
      })
      if (!isCurrent) await identifiers.discard(work.adv_id, work.crowd_id, work.version)
      await forgetUploads(db, uploads, work.crowd_id, work.version)
    },
  )

  /** Reads the files. A file that cannot be read does not fail the others. */
  async function check(job: Job, work: Work) {
    job.task.progress(0.02, '读取文件')
    const failed = new Map<number, AnyOutcome>()
    const fileDone = async (file_id: number, report: FileReport) => {
      if (report.error !== null) failed.set(file_id, report.error)
      await job.step((tx) => writeReport(tx, file_id, report))
    }
    const files: CheckedText[] = []
    for (const { id, uri, name, hashed, choice } of work.files) {
      if (uri === null) throw new AppError('customFilesGone')
      const { path } = await uploads.open(uri)
      // What the browser hashed is in its final form, with marks for the lines that it kept.
      files.push(
        hashed
          ? { file_id: id, path, name, isMarked: hashed.marked }
          : { file_id: id, path, name, choice, isMarked: choice !== null && !takesWholeLines(choice) },
      )
    }
    const counted = await identifiers.check(
      { ...work, files },
      {
        signal: job.signal,
        progress: (share, stage) => job.task.progress(0.02 + share * (CHECK_SHARE - 0.02), stage),
        fileDone,
      },
    )
    if (failed.size === files.length) {
      const named = work.files.slice(0, UNREADABLE_NAMED).flatMap(({ id, name }) => {
        const cause = failed.get(id)
        return cause ? [{ name, cause }] : []
      })
      throw new AppError('customUnreadable', {
        reason: outcome('crowd_files_unreadable', { files: named, total: files.length }),
      })
    }
    return counted
  }

  /** Puts the version into force with its size and matched people; false when the crowd or the version is gone. */
  async function end(
    tx: Transaction<Database>,
    { adv_id, crowd_id, version }: Work,
    counted: { size: number; lines?: number; valid?: number; duplicate?: number; malformed?: number },
    found: { matched: number; counted_at: number; ended: number; tombstones: number },
  ): Promise<boolean> {
    const { matched, counted_at, ended } = found
    await lockCrowds(tx, adv_id)
    // Somebody was forgotten while the lines were read, and may be in them: it is checked again.
    if ((await tombstonesOf(tx, adv_id)) !== found.tombstones) throw new Error('somebody was forgotten meanwhile')
    const crowd = await tx
      .selectFrom('custom_crowd')
      .select('deleted_at')
      .where('id', '=', crowd_id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!crowd || crowd.deleted_at !== null) return false
    const done = await tx
      .updateTable('custom_version')
      .set({ ...counted, status: 'done', error: null, finished_at: now() })
      .where('crowd_id', '=', crowd_id)
      .where('no', '=', version)
      // A deletion ended this version, even if the crowd was restored afterwards.
      .where('status', '=', 'computing')
      .returning('id')
      .executeTakeFirst()
    if (!done) return false
    await tx
      .updateTable('custom_crowd')
      .set({ version, members_version: version, size: counted.size, matched, counted_at, fail_reason: null })
      .where('id', '=', crowd_id)
      .execute()
    await noteSize(tx, { crowd_id, version, count: matched, counted_at })
    await onVersion(tx, { kind: 'custom', id: crowd_id, version })
    await matchMissed(tx, { adv_id, crowd_id, ended })
    return true
  }
}

/** How many tombstones the advertiser has; they are only added. */
async function tombstonesOf(db: Kysely<Database>, adv_id: number): Promise<number> {
  const { n } = await db
    .selectFrom('tombstone')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('adv_id', '=', adv_id)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Reads the version to check; null when the crowd was deleted or the version has already ended. */
async function begin(tx: Transaction<Database>, { crowd_id, no }: { crowd_id: number; no: number }) {
  const crowd = await tx
    .selectFrom('custom_version')
    .innerJoin('custom_crowd', 'custom_crowd.id', 'custom_version.crowd_id')
    .select([
      'custom_crowd.adv_id',
      'custom_crowd.user_id_type as type',
      'custom_crowd.version as base',
      'custom_version.kind',
      'custom_version.restored_from',
    ])
    .where('custom_version.crowd_id', '=', crowd_id)
    .where('custom_version.no', '=', no)
    .where('custom_version.status', '=', 'computing')
    .where('custom_crowd.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!crowd) return null
  const files = await tx
    .updateTable('crowd_file')
    .set({
      status: 'checking',
      error: null,
      line_count: null,
      valid_count: null,
      duplicate: null,
      malformed: null,
      reasons: '[]',
      unread: '[]',
    })
    .where('crowd_id', '=', crowd_id)
    .where('version', '=', no)
    .returning(['id', 'name', 'uri', 'hashed', 'choice'])
    .execute()
  return {
    adv_id: crowd.adv_id,
    crowd_id,
    version: no,
    type: crowd.type,
    kind: crowd.kind,
    base_version: crowd.base,
    restored_from: crowd.restored_from,
    files: files.toSorted((one, other) => one.id - other.id),
  }
}

async function writeReport(tx: Transaction<Database>, file_id: number, report: FileReport): Promise<void> {
  const { error, reasons, unread: refused, ...counts } = report
  const { hashed } = await tx
    .selectFrom('crowd_file')
    .select('hashed')
    .where('id', '=', file_id)
    .executeTakeFirstOrThrow()
  const kept = hashed?.unread.map(({ name, outcome }) => ({ name, error: outcome })) ?? []
  const unread = JSON.stringify([...kept, ...refused])
  await tx
    .updateTable('crowd_file')
    .set(
      error === null
        ? { status: 'done', error, ...counts, reasons: JSON.stringify(reasons), unread }
        : { status: 'failed', error, unread },
    )
    .where('id', '=', file_id)
    .execute()
}

async function fail(tx: Transaction<Database>, data: { crowd_id: number; no: number }, why: AnyOutcome) {
  const failed = await tx
    .updateTable('custom_version')
    .set({ status: 'failed', error: why, finished_at: now() })
    .where('crowd_id', '=', data.crowd_id)
    .where('no', '=', data.no)
    .where('status', '=', 'computing')
    .returning('id')
    .executeTakeFirst()
  if (!failed) return
  await tx.updateTable('custom_crowd').set({ fail_reason: why }).where('id', '=', data.crowd_id).execute()
  await tx
    .updateTable('crowd_file')
    .set({ status: 'failed', error: why })
    .where('crowd_id', '=', data.crowd_id)
    .where('version', '=', data.no)
    .where('status', 'in', ['waiting', 'checking'])
    .execute()
}

/** Reopens a failed version, unless a newer one exists. */
async function reopen(
  tx: Transaction<Database>,
  { data }: { data: { crowd_id: number; no: number } },
): Promise<undefined> {
  const known = await tx.selectFrom('custom_crowd').select('adv_id').where('id', '=', data.crowd_id).executeTakeFirst()
  // Locks the crowd, so that the query below sees a newer version that is being opened now.
  if (known) await lockCrowds(tx, known.adv_id)
  const crowd = await tx
    .selectFrom('custom_crowd')
    .select('id')
    .where('id', '=', data.crowd_id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!crowd) throw new AppError('notFound', { what: '自定义人群' })
  const later = await tx
    .selectFrom('custom_version')
    .select('no')
    .where('crowd_id', '=', data.crowd_id)
    .where('no', '>', data.no)
    .executeTakeFirst()
  if (later) throw new AppError('taskNotRetryable')
  await tx
    .updateTable('custom_version')
    .set({ status: 'computing', error: null, finished_at: null })
    .where('crowd_id', '=', data.crowd_id)
    .where('no', '=', data.no)
    .execute()
  await tx
    .updateTable('crowd_file')
    .set({ status: 'waiting', error: null })
    .where('crowd_id', '=', data.crowd_id)
    .where('version', '=', data.no)
    .execute()
}

/** Deletes the uploads of a version that has ended. */
export async function forgetUploads(db: Kysely<Database>, uploads: Uploads, crowd_id: number, version: number) {
  const files = await db
    .selectFrom('crowd_file')
    .select(['id', 'uri'])
    .where('crowd_id', '=', crowd_id)
    .where('version', '=', version)
    .where('uri', 'is not', null)
    .execute()
  for (const { id, uri } of files) {
    if (uri !== null) await uploads.remove(uri)
    await db.updateTable('crowd_file').set({ uri: null }).where('id', '=', id).execute()
  }
}
