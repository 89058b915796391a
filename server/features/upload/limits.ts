import type { Transaction } from 'kysely'
import { fileFault, UPLOAD_FILES_MAX, UPLOAD_TOTAL_MAX } from '#contract/upload.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../postgres/schema.ts'

/** What one viewer may have lying here at once, begun or waiting for its crowd: a few pages' worth. */
const HELD_FILES_MAX = 3 * UPLOAD_FILES_MAX
const HELD_BYTES_MAX = 3 * UPLOAD_TOTAL_MAX

/** Refuses a file by its name and size, as the page does. */
export function mustBeFine(file: { name: string; size: number }): void {
  const reason = fileFault(file, [])
  if (reason) throw new AppError('uploadRefused', { reason })
}

/** Refuses one more upload where the viewer's others leave no room; sizes count as they were announced. */
export async function mustHaveRoom(tx: Transaction<Database>, viewer_id: number, size: number): Promise<void> {
  // Two that begin at once are counted one after the other.
  await tx.selectFrom('viewer').select('id').where('id', '=', viewer_id).forUpdate().execute()
  const held = await tx
    .selectFrom('upload')
    .select((of) => [of.fn.countAll<number>().as('files'), of.fn.sum<number>('size').as('bytes')])
    .where('viewer_id', '=', viewer_id)
    .where('crowd_file_id', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(held.files) >= HELD_FILES_MAX || Number(held.bytes ?? 0) + size > HELD_BYTES_MAX) {
    throw new AppError('uploadRefused', { reason: '已上传而未提交的文件过多，请先提交或删除其中一些' })
  }
}
