import type { Kysely } from 'kysely'
import { RESTORE_SECONDS } from '#contract/deleted.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import type { Jobs } from '../../jobs/open.ts'
import { notAfterNow } from '../../postgres/not-after-now.ts'
import type { Database } from '../../postgres/schema.ts'
import { now, secondsLeft } from '../../time/clock.ts'
import { forgetUploads } from './check-job.ts'
import type { Identifiers, Uploads } from './deps.ts'

export const DROP = 'custom.drop'
const SWEEP = 'custom.sweep'
/** Values are deleted this many seconds after the undo period, so an undo begun in its last second can finish. */
export const DROP_MARGIN_SECONDS = 300
/** A failed version can be retried for this long. */
const RETRY_SECONDS = 86_400

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  uploads: Uploads
  identifiers: Identifiers
  evaluator: RuleEvaluator
}

interface DeletedCrowd {
  id: number
  adv_id: number
  members_version: number
}

/** Removes the values of deleted crowds and the uploads of ended versions. */
export function customSweep({ db, jobs, uploads, identifiers, evaluator }: Deps) {
  jobs.handle<{ crowd_id: number }>(DROP, { concurrency: 1 }, async (job) => {
    await notAfterNow(db, 'custom_crowd', 'deleted_at')
    const crowd = await db
      .selectFrom('custom_crowd')
      .select(['id', 'adv_id', 'members_version', 'deleted_at'])
      .where('id', '=', job.data.crowd_id)
      .executeTakeFirst()
    if (!crowd || crowd.deleted_at === null) return
    const left = secondsLeft(crowd.deleted_at, RESTORE_SECONDS)
    // The crowd was restored and deleted again, or the clock was set back: the deletion can still be undone.
    if (left > 0) return job.wait(async () => {}, left + DROP_MARGIN_SECONDS, '')
    await drop(crowd)
  })
  jobs.handle(SWEEP, { concurrency: 1 }, sweep)
  jobs.schedule(SWEEP, '50 * * * *', 'UTC')

  async function drop({ id: crowd_id, adv_id, members_version }: DeletedCrowd): Promise<void> {
    const versions = await db.selectFrom('custom_version').select('no').where('crowd_id', '=', crowd_id).execute()
    const nos = versions.map((version) => version.no)
    await evaluator.dropVersions(
      adv_id,
      [members_version, ...nos].map((version) => ({ kind: 'crowd', id: crowd_id, version })),
    )
    await identifiers.dropCrowd(adv_id, crowd_id)
    const files = await db.selectFrom('crowd_file').select('id').where('crowd_id', '=', crowd_id).execute()
    for (const { id } of files) await identifiers.removeMalformed(id)
    for (const no of nos) await forgetUploads(db, uploads, crowd_id, no)
  }

  async function sweep(): Promise<void> {
    await notAfterNow(db, 'custom_version', 'finished_at')
    const ended = await db
      .selectFrom('crowd_file')
      .innerJoin('custom_version', (join) =>
        join
          .onRef('custom_version.crowd_id', '=', 'crowd_file.crowd_id')
          .onRef('custom_version.no', '=', 'crowd_file.version'),
      )
      .select(['crowd_file.crowd_id', 'crowd_file.version'])
      .distinct()
      .where('crowd_file.uri', 'is not', null)
      .where((eb) =>
        eb.or([
          eb('custom_version.status', '=', 'done'),
          eb.and([
            eb('custom_version.status', '=', 'failed'),
            eb('custom_version.finished_at', '<', now() - RETRY_SECONDS),
          ]),
        ]),
      )
      .execute()
    for (const { crowd_id, version } of ended) await forgetUploads(db, uploads, crowd_id, version)
    for (const { crowd_id, version } of await identifiers.unfinished()) {
      const row = await db
        .selectFrom('custom_crowd')
        .leftJoin('custom_version', (join) =>
          join
            .onRef('custom_version.crowd_id', '=', 'custom_crowd.id')
            .on('custom_version.no', '=', version)
            .on('custom_version.status', '=', 'computing'),
        )
        .select(['custom_crowd.adv_id', 'custom_version.no'])
        .where('custom_crowd.id', '=', crowd_id)
        .executeTakeFirst()
      if (row && row.no === null) await identifiers.discard(row.adv_id, crowd_id, version)
    }
    await identifiers.sweepMalformed(now())
  }

  return { sweep }
}
