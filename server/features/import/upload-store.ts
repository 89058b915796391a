import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { IMPORT_UPLOAD_MAX } from '#contract/import.ts'
import { AppError } from '../../errors.ts'

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
  const directory = join(dataDir, 'uploads')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const files = new FileStore({ directory })

  return {
    files,
    newId: (viewer_id: number) => `${viewer_id}-${randomBytes(16).toString('hex')}`,
    isOf: (id: string, viewer_id: number) => UPLOAD_ID.exec(id)?.[1] === String(viewer_id),
    pathOf: (id: string) => join(directory, id),

    /** Refuses another upload of `size` bytes where the viewer's others leave no room; sizes count as they were announced. */
    async mustHaveRoom(viewer_id: number, size: number): Promise<void> {
      const mine = (await readdir(directory)).filter((name) => UPLOAD_ID.exec(name)?.[1] === String(viewer_id))
      const held = await Promise.all(mine.map((id) => files.getUpload(id).catch(() => null)))
      const bytes = held.reduce((sum, upload) => sum + (upload?.size ?? upload?.offset ?? 0), size)
      if (mine.length >= HELD_FILES_MAX || bytes > HELD_BYTES_MAX) {
        throw new AppError('uploadRefused', { reason: '已上传而未导入的文件过多，请先导入或取消其中一些' })
      }
    },

    /** A whole upload of the viewer's; anything else is refused. */
    async find(id: string, viewer_id: number): Promise<Uploaded> {
      if (UPLOAD_ID.exec(id)?.[1] !== String(viewer_id)) throw new AppError('notFound', { what: '上传的文件' })
      const upload = await files.getUpload(id).catch(() => null)
      if (!upload) throw new AppError('notFound', { what: '上传的文件' })
      const { size } = await stat(join(directory, id))
      if (upload.size !== size) throw new AppError('uploadRefused', { reason: '文件尚未上传完成' })
      return { path: join(directory, id), file_name: upload.metadata?.filename || '未命名', size }
    },

    async remove(id: string): Promise<void> {
      for (const path of [join(directory, id), join(directory, `${id}.json`)]) await rm(path, { force: true })
    },

    /** Removes what nobody touched for a day, but for the uploads named. */
    async sweep(kept: ReadonlySet<string>): Promise<void> {
      for (const name of await readdir(directory)) {
        if (kept.has(name.replace(/\.json$/, ''))) continue
        const path = join(directory, name)
        const found = await stat(path).catch(() => null)
        if (found && found.mtimeMs < Date.now() - KEPT_MS) await rm(path, { force: true })
      }
    },
  }
}
export type UploadStore = ReturnType<typeof uploadStore>
