import { randomBytes } from 'node:crypto'
import type { ExpressionBuilder, Kysely, Selectable, Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { type NewFile, PURPOSES, UNUSED_BYTES_MAX } from './purposes.ts'

export type UploadRow = Selectable<Database['upload']>

export const newUploadId = () => randomBytes(16).toString('hex')

export const findUpload = (db: Kysely<Database>, id: string): Promise<UploadRow | undefined> =>
  db.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirst()

/** Whether no crowd's file uses the upload and no import reads it or will. */
export const isUnused = (of: ExpressionBuilder<Database, 'upload'>) =>
  of.and([
    of('crowd_file_id', 'is', null),
    of.not(
      of.exists(
        of
          .selectFrom('import')
          .select('import.id')
          .whereRef('import.path', '=', 'upload.id')
          .where('import.status', '!=', 'done')
          .where((one) =>
            one.or([one('import.status', 'in', ['waiting', 'running']), one('import.state', 'is not', null)]),
          ),
      ),
    ),
  ])

/** Adds the row of a new upload; refuses it when the viewer's quota is used up. Sizes count as announced. */
export async function addUpload(
  tx: Transaction<Database>,
  viewer_id: number,
  { purpose, name, size }: NewFile,
  place: { id: string; store: UploadRow['store']; object_key: string | null },
): Promise<void> {
  const { files, tooMany } = PURPOSES[purpose].unused
  // Concurrent new uploads of a viewer are counted one after the other.
  await tx.selectFrom('viewer').select('id').where('id', '=', viewer_id).forUpdate().execute()
  const had = await tx
    .selectFrom('upload')
    .select((of) => [
      of.fn.countAll<number>().filterWhere('purpose', '=', purpose).as('files'),
      of.fn.sum<number>('size').as('bytes'),
    ])
    .where('viewer_id', '=', viewer_id)
    .where(isUnused)
    .executeTakeFirstOrThrow()
  if (Number(had.files) >= files) throw new AppError('uploadRefused', { reason: tooMany })
  if (Number(had.bytes ?? 0) + size > UNUSED_BYTES_MAX) {
    throw new AppError('uploadRefused', { reason: outcome('upload_quota_used', { gb: UNUSED_BYTES_MAX / 1024 ** 3 }) })
  }
  await tx
    .insertInto('upload')
    .values({ viewer_id, purpose, name, size, ...place, multipart_id: null, crowd_file_id: null, created_at: now() })
    .execute()
}

/** Deletes the row if nothing uses the upload. Nothing can use it afterwards, and the caller removes its bytes. */
export const deleteUnused = (db: Kysely<Database>, id: string): Promise<UploadRow | undefined> =>
  db.deleteFrom('upload').where('id', '=', id).where(isUnused).returningAll().executeTakeFirst()
