import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { IMPORT_UPLOAD_MAX } from '#contract/import.ts'
import { AppError } from '../../errors.ts'

const UPLOAD_ID = /^(\d+)-[0-9a-f]{32}$/
const KEPT_MS = 24 * 3600 * 1000
/** What one viewer may have lying here at once, begun or waiting for its import. */
const HELD_FILES_MAX = 20
const HELD_BYTES_MAX = 4 * IMPORT_UPLOAD_MAX
export const UPLOAD_DISK_FULL = '磁盘空间不足，无法接收文件；请清理磁盘后再上传'

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

  async function remove(id: string): Promise<void> {
    for (const path of [join(directory, id), join(directory, `${id}.json`)]) await rm(path, { force: true })
  }

  // The library's own keeps the reason of a failure to itself; a full disk is one that its viewer must hear.
  files.write = async (readable: Readable, id: string, offset: number) => {
    const file = createWriteStream(join(directory, id), { flags: 'r+', start: offset })
    await pipeline(readable, file)
    return offset + file.bytesWritten
  }
  const create = files.create.bind(files)
  files.create = async (upload) => {
    try {
      return await create(upload)
    } catch (error) {
      await remove(upload.id)
      throw error
    }
  }

  /** Null for one that is not there, or was not begun whole. */
  async function read(id: string) {
    try {
      return await files.getUpload(id)
    } catch (error) {
      // The library's answers; anything else is the disk's.
      if (error instanceof SyntaxError || (typeof error === 'object' && error && 'status_code' in error)) return null
      throw error
    }
  }

  return {
    files,
    newId: (viewer_id: number) => `${viewer_id}-${randomBytes(16).toString('hex')}`,
    isOf: (id: string, viewer_id: number) => UPLOAD_ID.exec(id)?.[1] === String(viewer_id),
    pathOf: (id: string) => join(directory, id),

    /** Refuses another upload of `size` bytes where the viewer's others leave no room; sizes count as they were announced. */
    async mustHaveRoom(viewer_id: number, size: number): Promise<void> {
      const mine = (await readdir(directory)).filter((name) => UPLOAD_ID.exec(name)?.[1] === String(viewer_id))
      const held = await Promise.all(mine.map(read))
      const bytes = held.reduce((sum, upload) => sum + (upload?.size ?? upload?.offset ?? 0), size)
      if (mine.length >= HELD_FILES_MAX || bytes > HELD_BYTES_MAX) {
        throw new AppError('uploadRefused', { reason: '已上传而未导入的文件过多，请先导入或取消其中一些' })
      }
      const { bavail, bsize } = await statfs(directory)
      if (size > bavail * bsize) throw new AppError('uploadRefused', { reason: UPLOAD_DISK_FULL })
    },

    /** A whole upload of the viewer's; anything else is refused. */
    async find(id: string, viewer_id: number): Promise<Uploaded> {
      if (UPLOAD_ID.exec(id)?.[1] !== String(viewer_id)) throw new AppError('notFound', { what: '上传的文件' })
      const upload = await read(id)
      if (!upload) throw new AppError('notFound', { what: '上传的文件' })
      if (upload.size !== upload.offset) throw new AppError('uploadRefused', { reason: '文件尚未上传完成' })
      return { path: join(directory, id), file_name: upload.metadata?.filename || '未命名', size: upload.offset }
    },

    remove,

    /** Removes what nobody touched for a day, but for the uploads named. */
    async sweep(kept: ReadonlySet<string>): Promise<void> {
      for (const name of await readdir(directory)) {
        if (kept.has(name.replace(/\.json$/, ''))) continue
        const path = join(directory, name)
        // Gone meanwhile: its viewer cancelled it, or its import ended.
        const found = await stat(path).catch(() => null)
        if (found && found.mtimeMs < Date.now() - KEPT_MS) await rm(path, { force: true })
      }
    },
  }
}
export type UploadStore = ReturnType<typeof uploadStore>
