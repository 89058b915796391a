import type { Kysely, Transaction } from 'kysely'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { crowdPurge } from '../../crowds/crowd-purge.ts'
import { forgetSizes, keptVersions } from '../../crowds/crowd-sizes.ts'
import type { Jobs } from '../../jobs/open.ts'
import { notAfterNow } from '../../postgres/not-after-now.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { forgetUploads } from './check-job.ts'
import type { Identifiers, Uploads } from './deps.ts'

const SWEEP = 'custom.sweep'
/** A failed version can be retried for this long. */
const RETRY_SECONDS = 86_400

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  uploads: Uploads
  identifiers: Identifiers
  evaluator: RuleEvaluator
}

/** Removes the values of deleted crowds and the uploads of ended versions. */
export function customSweep({ db, jobs, uploads, identifiers, evaluator }: Deps) {
  jobs.handle(SWEEP, { concurrency: 1 }, sweep)
  jobs.schedule(SWEEP, '50 * * * *', 'UTC')

  async function dropData({ id: crowd_id, adv_id }: { id: number; adv_id: number }): Promise<void> {
    const { members_version } = await db
      .selectFrom('custom_crowd')
      .select('members_version')
      .where('id', '=', crowd_id)
      .executeTakeFirstOrThrow()
    const versions = await db.selectFrom('custom_version').select('no').where('crowd_id', '=', crowd_id).execute()
    const nos = versions.map((version) => version.no)
    await evaluator.dropVersions(
      adv_id,
      [...new Set([members_version, ...nos, ...(await keptVersions(db, crowd_id))])].map((version) => ({
        kind: 'crowd',
        id: crowd_id,
        version,
      })),
    )
    await identifiers.dropCrowd(adv_id, crowd_id)
    const files = await db.selectFrom('crowd_file').select('id').where('crowd_id', '=', crowd_id).execute()
    for (const { id } of files) await identifiers.removeMalformed(id)
    for (const no of nos) await forgetUploads(db, uploads, crowd_id, no)
  }

  /** The crowd's own row stays: an audience of it may still have to be deleted on its platform. */
  async function dropRows(tx: Transaction<Database>, crowd_id: number): Promise<void> {
    await tx.deleteFrom('crowd_file').where('crowd_id', '=', crowd_id).execute()
    await tx.deleteFrom('custom_version').where('crowd_id', '=', crowd_id).execute()
    await forgetSizes(tx, crowd_id)
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

  return { sweep, purge: crowdPurge({ db, jobs }, 'custom', { dropData, dropRows }) }
}
