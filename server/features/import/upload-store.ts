import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { IMPORT_UPLOAD_MAX } from '#contract/import.ts'
import { AppError } from '../../errors.ts'
import { openFileStore } from '../../storage/file-store.ts'

const UPLOAD_ID = /^(\d+)-[0-9a-f]{32}$/
const KEPT_MS = 24 * 3600 * 1000
/** What one viewer may have lying here at once, begun or waiting for its import. */
const HELD_FILES_MAX = 20
const HELD_BYTES_MAX = 4 * IMPORT_UPLOAD_MAX

export interface Uploaded {
  path: string
  file_name: string
  size: number
}

/** Files sent to the console, under names of ours that hold whose they are. */
export function uploadStore(dataDir: string) {
  const store = openFileStore(join(dataDir, 'uploads'))

  return {
    store,
    newId: (viewer_id: number) => `${viewer_id}-${randomBytes(16).toString('hex')}`,
    isOf: (id: string, viewer_id: number) => UPLOAD_ID.exec(id)?.[1] === String(viewer_id),
    pathOf: store.pathOf,

    /** Refuses another upload of `size` bytes where the viewer's others leave no room; sizes count as they were announced. */
    async mustHaveRoom(viewer_id: number, size: number): Promise<void> {
      const names = await readdir(store.directory)
      const mine = names.filter((name) => UPLOAD_ID.exec(name)?.[1] === String(viewer_id))
      const held = await Promise.all(mine.map(store.read))
      const bytes = held.reduce((sum, upload) => sum + (upload?.size ?? upload?.offset ?? 0), size)
      if (mine.length >= HELD_FILES_MAX || bytes > HELD_BYTES_MAX) {
        throw new AppError('uploadRefused', { reason: '已上传而未导入的文件过多，请先导入或取消其中一些' })
      }
      await store.mustHaveRoom(size)
    },

    /** A whole upload of the viewer's; anything else is refused. */
    async find(id: string, viewer_id: number): Promise<Uploaded> {
      if (UPLOAD_ID.exec(id)?.[1] !== String(viewer_id)) throw new AppError('notFound', { what: '上传的文件' })
      const upload = await store.read(id)
      if (!upload) throw new AppError('notFound', { what: '上传的文件' })
      if (upload.size !== upload.offset) throw new AppError('uploadRefused', { reason: '文件尚未上传完成' })
      return { path: store.pathOf(id), file_name: upload.metadata?.filename || '未命名', size: upload.offset }
    },

    remove: store.remove,

    /** Removes what nobody touched for a day, but for the uploads named. */
    sweep: (kept: ReadonlySet<string>) => store.sweep(Date.now() - KEPT_MS, kept),
  }
}
export type UploadStore = ReturnType<typeof uploadStore>
