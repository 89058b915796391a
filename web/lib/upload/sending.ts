import type { UploadPurpose } from '#contract/upload.ts'
import { type Sample, sampled, speedOf } from '../transfer-speed.ts'
import { openCredentials } from './credentials.ts'
import { keptFiles } from './kept-files.ts'
import { uploadIdOf } from './resumable.ts'
import { LOST, type Transfer } from './transfer.ts'
import { openUploader, RAW } from './uploader.ts'

/** The part of the transfer list that sending needs. */
interface Transfers {
  all(): readonly Transfer[]
  find(id: string): Transfer | undefined
  patch(id: string, part: Partial<Transfer>): void
  begin(id: string): () => boolean
}

/** Larger files are not copied to the browser's storage; after a reload the page asks for them again. */
const KEPT_BYTES_MAX = 256 * 1024 ** 2

const uriOf = ({ uri, resume }: Transfer): string | null =>
  uri ?? (resume && ('url' in resume ? uploadIdOf(resume.url) : resume.uri))

/** The object key prefix of transfers started before a reload. */
const prefixOf = (items: readonly Transfer[]): string | null =>
  items.flatMap(({ resume }) => (resume && 'key' in resume ? [resume.key.replace(/[^/]+$/, '')] : []))[0] ?? null

/** Sends the transfers of a list. Each can be paused and resumed, and continues after a reload. */
export function openSending(purpose: UploadPurpose, list: Transfers) {
  /** The content of each unfinished transfer. */
  const blobs = new Map<string, Blob>()
  const samples = new Map<string, Sample[]>()
  const credentials = openCredentials(purpose, prefixOf(list.all()))
  const uploader = openUploader(purpose, credentials, {
    onProgress(id, sent) {
      const seen = sampled(samples.get(id) ?? [], { at: performance.now(), sent })
      samples.set(id, seen)
      const phase = list.find(id)?.phase
      if (phase !== 'uploading' && phase !== 'reconnecting') return
      list.patch(id, { phase: 'uploading', sent, speed: speedOf(seen) })
    },
    onReconnecting: (id) => list.patch(id, { phase: 'reconnecting', speed: null }),
    onResume: (id, resume) => list.patch(id, { resume }),
    onDone(id, uri) {
      const sent = list.find(id)?.total ?? 0
      list.patch(id, { phase: 'done', uri, sent, speed: null, resume: null, error: null })
      blobs.delete(id)
      void keptFiles.remove(id)
    },
    onFailed: (id, error, isFinal) =>
      list.patch(id, { phase: 'failed', speed: null, error, ...(isFinal ? { resume: null, sent: 0 } : {}) }),
  })

  async function send(id: string, blob: Blob, isLatest = list.begin(id)): Promise<void> {
    const item = list.find(id)
    if (!item) return
    blobs.set(id, blob)
    samples.delete(id)
    list.patch(id, { phase: 'uploading', total: blob.size, error: null })
    if (blob.size <= KEPT_BYTES_MAX) await keptFiles.put(id, blob)
    if (!list.find(id)) return void keptFiles.remove(id)
    if (!isLatest()) return
    try {
      const made = item.made ?? RAW
      await uploader.add({ id, name: item.name, blob, resume: item.resume, made, isWanted: isLatest })
    } catch (error) {
      if (isLatest()) list.patch(id, { phase: 'failed', error: (error as Error).message })
    }
  }

  async function restore(item: Transfer): Promise<void> {
    const isLatest = list.begin(item.id)
    const blob = await keptFiles.get(item.id)
    if (!isLatest()) return
    if (!blob) list.patch(item.id, { phase: 'lost', error: LOST })
    else if (item.phase === 'paused') blobs.set(item.id, blob)
    else await send(item.id, blob, isLatest)
  }

  return {
    send,

    /** Continues unfinished transfers after a reload. */
    restoreAll() {
      void keptFiles.sweep()
      for (const item of list.all()) if (item.phase !== 'done') void restore(item)
    },

    pause(id: string) {
      const phase = list.find(id)?.phase
      if (phase !== 'uploading' && phase !== 'reconnecting') return
      // Not with the uploader yet: this start is given up, and resuming starts again.
      if (!uploader.pause(id)) list.begin(id)
      list.patch(id, { phase: 'paused', speed: null })
    },

    /** Continues a paused or failed transfer; false if its content is not ready. */
    resume(id: string): boolean {
      const blob = blobs.get(id)
      if (!blob) return false
      samples.delete(id)
      if (uploader.resume(id)) list.patch(id, { phase: 'uploading', error: null })
      else void send(id, blob)
      return true
    },

    /** Stops a transfer, and deletes it on the server unless it is used there. */
    async drop(item: Transfer, isUsed = false): Promise<void> {
      list.begin(item.id)
      blobs.delete(item.id)
      samples.delete(item.id)
      await Promise.all([keptFiles.remove(item.id), uploader.remove(item.id, isUsed ? null : uriOf(item))])
    },

    /** Stops sending; transfers can be continued later. */
    close() {
      uploader.close()
      credentials.close()
    },
  }
}
