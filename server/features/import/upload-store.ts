import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { AppError } from '../../errors.ts'

const UPLOAD_ID = /^(\d+)-[0-9a-f]{32}$/
const KEPT_MS = 24 * 3600 * 1000

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
