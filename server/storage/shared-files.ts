import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { nullIfMissing } from './missing-file.ts'
import type { ObjectStore } from './object-store.ts'

const PREFIX = 'reports/'

/**
 * Files that jobs write and viewers download. They are on the disk of the process that wrote them; with an object store
 * there is also a copy in it, since another process may serve the download.
 */
export function sharedFiles(objects: ObjectStore | null) {
  return {
    /** Copies a complete file to the store; does nothing if the file does not exist. */
    async share(path: string, name: string, signal?: AbortSignal): Promise<void> {
      if (objects && (await stat(path).catch(nullIfMissing))) await objects.upload(PREFIX + name, path, signal)
    },

    /** The bytes of a file; null when it is neither on this disk nor in the store. */
    async read(path: string, name: string): Promise<Readable | null> {
      if (await stat(path).catch(nullIfMissing)) return createReadStream(path)
      return objects ? objects.read(PREFIX + name) : null
    },

    /** Removes a file and its copy; either may be missing. */
    async remove(path: string, name: string): Promise<void> {
      await rm(path, { force: true })
      await objects?.remove(PREFIX + name, null)
    },

    /** Removes the copies whose names begin with `name` and that are older than `before` (epoch milliseconds). */
    async sweep(name: string, before: number): Promise<void> {
      if (!objects) return
      for (const key of await objects.olderThan(PREFIX + name, before)) await objects.remove(key, null)
    },
  }
}
export type SharedFiles = ReturnType<typeof sharedFiles>
