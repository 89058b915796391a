import { readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Database } from '../../postgres/schema.ts'
import type { LocalFiles } from '../../storage/file-store.ts'
import { nullIfMissing } from '../../storage/missing-file.ts'
import { now } from '../../time/clock.ts'

/** The directory of crowd files before both kinds shared one. */
const CROWD_DIRECTORY = 'crowd-uploads'
/** Imports had no rows; the file's name named its viewer. */
const IMPORT_ID = /^(\d+)-[0-9a-f]{32}$/

/** Takes over uploads of versions that had a service for each kind. Continues when run again after a kill. */
export async function takeOverEarlierFiles(db: Kysely<Database>, files: LocalFiles, dataDir: string): Promise<void> {
  const old = join(dataDir, CROWD_DIRECTORY)
  for (const name of (await readdir(old).catch(nullIfMissing)) ?? []) {
    if (name.endsWith('.partial')) await rm(join(old, name), { force: true })
    else await rename(join(old, name), files.pathOf(name))
  }
  await rmdir(old).catch(nullIfMissing)
  for (const id of await readdir(files.directory)) {
    const viewer_id = Number(IMPORT_ID.exec(id)?.[1])
    if (!viewer_id) continue
    const upload = await files.read(id)
    if (upload?.size === undefined) continue
    const viewer = await db.selectFrom('viewer').select('id').where('id', '=', viewer_id).executeTakeFirst()
    if (!viewer) continue
    await db
      .insertInto('upload')
      .values({
        id,
        viewer_id,
        purpose: 'import',
        name: upload.metadata?.filename || UNNAMED,
        size: upload.size,
        store: 'tus',
        object_key: null,
        multipart_id: null,
        is_complete: upload.offset === upload.size,
        crowd_file_id: null,
        created_at: now(),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
}

/** The name of an upload whose request gave none. */
export const UNNAMED = '未命名'
