import type { Kysely } from 'kysely'
import { UPLOAD_KEPT_SECONDS } from '#contract/upload.ts'
import { notAfterNow } from '../../postgres/not-after-now.ts'
import type { Database } from '../../postgres/schema.ts'
import type { LocalFiles } from '../../storage/file-store.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { now } from '../../time/clock.ts'
import { PURPOSES } from './purposes.ts'
import { deleteUnused, isUnused, type UploadRow } from './rows.ts'

interface Deps {
  db: Kysely<Database>
  files: LocalFiles
  objects: ObjectStore | null
  removeBytes(row: UploadRow): Promise<void>
}

/** Removes uploads that nothing used within a day and that receive no bytes, and bytes without a row. */
export async function sweepUploads({ db, files, objects, removeBytes }: Deps, signal: AbortSignal): Promise<void> {
  const before = now() - UPLOAD_KEPT_SECONDS
  await notAfterNow(db, 'upload', 'created_at')
  const old = await db.selectFrom('upload').selectAll().where(isUnused).where('created_at', '<', before).execute()
  for (const { id, is_complete } of old) {
    signal.throwIfAborted()
    if (!is_complete && (await files.wasWrittenSince(id, before * 1000))) continue
    // Something used it meanwhile, so it stays.
    const row = await deleteUnused(db, id)
    if (row) await removeBytes(row)
  }
  // A kill between deleting the row and its bytes leaves bytes without a row.
  const rows = await db.selectFrom('upload').select(['id', 'object_key']).execute()
  await files.sweep(before * 1000, new Set(rows.map((row) => row.id)))
  if (!objects) return
  const known = new Set(rows.map((row) => row.object_key))
  for (const { keyPrefix } of Object.values(PURPOSES)) {
    for (const key of await objects.olderThan(keyPrefix, before * 1000)) {
      signal.throwIfAborted()
      if (!known.has(key)) await objects.remove(key, null)
    }
  }
}
