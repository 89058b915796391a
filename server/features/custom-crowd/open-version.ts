import type { Transaction } from 'kysely'
import type { z } from 'zod'
import type { addCustomCrowd } from '#contract/custom-crowd.ts'
import { outcome } from '#contract/outcome.ts'
import { fileFault } from '#contract/upload.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { CHECK } from './check-job.ts'
import type { Uploads } from './deps.ts'

type Files = z.output<typeof addCustomCrowd.body>['files']

interface TakenFile {
  name: string
  size: number
  uri: string
}

interface Change {
  kind: 'create' | 'append' | 'remove' | 'restore'
  files: Files
  restored_from?: number
}

/** Opens a crowd's next version: takes its uploads and sends the job that checks them, in the caller's transaction. */
export function versionOpening({ jobs, uploads }: { jobs: Jobs; uploads: Uploads }) {
  return async (
    tx: Transaction<Database>,
    viewer: Viewer,
    crowd: { id: number; adv_id: number; name: string },
    { kind, files, restored_from }: Change,
  ): Promise<number> => {
    const { last } = await tx
      .selectFrom('custom_version')
      .select((eb) => eb.fn.coalesce(eb.fn.max('no'), eb.lit(0)).as('last'))
      .where('crowd_id', '=', crowd.id)
      .executeTakeFirstOrThrow()
    const no = last + 1
    const { id } = await tx
      .insertInto('custom_version')
      .values({
        crowd_id: crowd.id,
        no,
        kind,
        restored_from: restored_from ?? null,
        status: 'computing',
        viewer_id: viewer.id,
        created_at: now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const taken: TakenFile[] = []
    for (const file of files) taken.push(await take(tx, viewer, crowd.id, no, file, taken))
    const { task_id } = await jobs.send(
      tx,
      CHECK,
      { crowd_id: crowd.id, no },
      {
        group: `advertiser:${crowd.adv_id}`,
        task: {
          title: kind === 'restore' ? `恢复人群「${crowd.name}」` : `校验人群「${crowd.name}」`,
          adv_id: crowd.adv_id,
          viewer_id: viewer.id,
          link: `/cowd-manage/custom-crowd?crowd=${crowd.id}`,
        },
      },
    )
    await tx.updateTable('custom_version').set({ task_id }).where('id', '=', id).execute()
    return no
  }

  async function take(
    tx: Transaction<Database>,
    viewer: Viewer,
    crowd_id: number,
    version: number,
    file: Files[number],
    others: readonly TakenFile[],
  ): Promise<TakenFile> {
    const { id } = await tx
      .insertInto('crowd_file')
      .values({
        crowd_id,
        version,
        name: file.name,
        size: file.size,
        uri: file.uri,
        hashed: file.hashed && JSON.stringify(file.hashed),
        choice: file.choice && JSON.stringify(file.choice),
        unread: '[]',
        status: 'waiting',
        reasons: '[]',
        created_at: now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (others.some(({ uri }) => uri === file.uri))
      throw new AppError('uploadRefused', { reason: outcome('upload_listed_already', { name: file.name }) })
    // Name and size come from the upload, not from the request.
    const upload = await uploads.take(tx, viewer.id, file.uri, id)
    const reason = fileFault(upload, others, file.hashed !== null)
    if (reason) throw new AppError('uploadRefused', { reason })
    await tx.updateTable('crowd_file').set({ name: upload.name, size: upload.size }).where('id', '=', id).execute()
    return { ...upload, uri: file.uri }
  }
}
export type OpenVersion = ReturnType<typeof versionOpening>
