import { createWriteStream, mkdirSync } from 'node:fs'
import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import type { Upload } from '@tus/server'
import { AppError } from '../errors.ts'
import { UPLOAD_DISK_FULL } from './disk-full.ts'
import { unlessGone } from './missing-file.ts'

/** Files that the resumable endpoint takes in, in a directory of their own, each with a note of how large it will be. */
export function openFileStore(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const files = new FileStore({ directory })
  const pathOf = (id: string) => join(directory, id)

  /** Bytes on their way into a file. */
  const writing = new Map<string, AbortController>()

  /** Aborts a request that is still sending, which would go on writing into a deleted file. */
  async function remove(id: string): Promise<void> {
    writing.get(id)?.abort()
    for (const path of [pathOf(id), `${pathOf(id)}.json`]) await rm(path, { force: true })
  }

  // The library hides why a write failed, but a viewer must be told that the disk is full.
  files.write = async (readable: Readable, id: string, offset: number) => {
    const file = createWriteStream(pathOf(id), { flags: 'r+', start: offset })
    const removed = new AbortController()
    writing.set(id, removed)
    try {
      await pipeline(readable, file, { signal: removed.signal })
    } finally {
      if (writing.get(id) === removed) writing.delete(id)
    }
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

  return {
    files,
    directory,
    pathOf,
    remove,

    /** Null where there is none, or its note is incomplete. */
    async read(id: string): Promise<Upload | null> {
      try {
        return await files.getUpload(id)
      } catch (error) {
        // Errors of the library; others come from the disk.
        if (error instanceof SyntaxError || (typeof error === 'object' && error && 'status_code' in error)) return null
        throw error
      }
    },

    /** Refuses `bytes` that the disk has no room for. */
    async mustHaveRoom(bytes: number): Promise<void> {
      const { bavail, bsize } = await statfs(directory)
      if (bytes > bavail * bsize) throw new AppError('uploadRefused', { reason: UPLOAD_DISK_FULL })
    },

    /** Whether bytes of it came since then (epoch milliseconds). */
    async wasWrittenSince(id: string, since: number): Promise<boolean> {
      const found = await stat(pathOf(id)).catch(unlessGone)
      return found !== null && found.size > 0 && found.mtimeMs >= since
    },

    /** Removes what nobody touched since `before` (epoch milliseconds), but for the files named. */
    async sweep(before: number, kept: ReadonlySet<string>): Promise<void> {
      for (const name of await readdir(directory)) {
        if (kept.has(name.replace(/\.json$/, ''))) continue
        // It may have been removed meanwhile by its viewer or its job.
        const found = await stat(pathOf(name)).catch(() => null)
        if (found && found.mtimeMs < before) await rm(pathOf(name), { force: true })
      }
    },
  }
}
export type LocalFiles = ReturnType<typeof openFileStore>
