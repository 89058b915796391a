import { createWriteStream, mkdirSync } from 'node:fs'
import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import type { Upload } from '@tus/server'
import { outcome } from '#contract/outcome.ts'
import { AppError } from '../errors.ts'
import { nullIfMissing } from './missing-file.ts'

/** Files received by the resumable endpoint, in a directory of their own, each with a note of its announced size. */
export function openFileStore(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const files = new FileStore({ directory })
  const pathOf = (id: string) => join(directory, id)

  /** Requests that are writing into a file. */
  const writing = new Map<string, AbortController>()

  /** Also aborts a request that is still sending, which would keep writing into a deleted file. */
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

    /** Null if there is none or its note is incomplete. */
    async read(id: string): Promise<Upload | null> {
      try {
        return await files.getUpload(id)
      } catch (error) {
        // Errors of the library; others come from the disk.
        if (error instanceof SyntaxError || (typeof error === 'object' && error && 'status_code' in error)) return null
        throw error
      }
    },

    /** Throws if the disk has no room for `bytes`. */
    async mustHaveRoom(bytes: number): Promise<void> {
      const { bavail, bsize } = await statfs(directory)
      if (bytes > bavail * bsize) throw new AppError('uploadRefused', { reason: outcome('upload_disk_full') })
    },

    /** Whether bytes of it arrived since then (epoch milliseconds). */
    async wasWrittenSince(id: string, since: number): Promise<boolean> {
      const found = await stat(pathOf(id)).catch(nullIfMissing)
      return found !== null && found.size > 0 && found.mtimeMs >= since
    },

    /** Removes files unchanged since `before` (epoch milliseconds), except those in `kept`. */
    async sweep(before: number, kept: ReadonlySet<string>): Promise<void> {
      for (const name of await readdir(directory)) {
        if (kept.has(name.replace(/\.json$/, ''))) continue
        // Its viewer or its job may have removed it meanwhile.
        const found = await stat(pathOf(name)).catch(() => null)
        if (found && found.mtimeMs < before) await rm(pathOf(name), { force: true })
      }
    },
  }
}
export type LocalFiles = ReturnType<typeof openFileStore>
