import AwsS3 from '@uppy/aws-s3'
import Uppy, { type UppyFile } from '@uppy/core'
import Tus from '@uppy/tus'
import { createUpload, finishUpload, removeUpload, UPLOAD_TOKEN_HEADER, type UploadPurpose } from '#contract/upload.ts'
import { call, isCallError } from '../call.ts'
import type { CredentialsSource } from './credentials.ts'
import { reasonOfUpload, uploadIdOf } from './resumable.ts'
import { signRequest } from './sign-request.ts'
import type { Resume } from './transfer.ts'

/** Bytes of a request; a lost connection costs at most one of these. */
const TUS_CHUNK: Record<UploadPurpose, number> = { crowd: 4 * 1024 ** 2, import: 16 * 1024 ** 2 }
/** The smallest part that object stores take. */
const S3_CHUNK = 5 * 1024 ** 2
const AT_ONCE = 3
const RETRY_DELAYS_MS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000]

type Meta = { name: string; key: string; made: string; [other: string]: unknown }
type Body = Record<string, never>

export interface UploaderEvents {
  onProgress(id: string, sent: number): void
  onReconnecting(id: string): void
  onResume(id: string, resume: Resume): void
  onDone(id: string, uri: string): void
  /** `isFinal`: what the server holds of it is of no use; another try begins anew. */
  onFailed(id: string, reason: string, isFinal: boolean): void
}

export interface Sending {
  id: string
  name: string
  blob: Blob
  /** Where it goes on. */
  resume: Resume | null
  /** What was done to it: the same file, hashed otherwise, is another upload. */
  made: string
  /** Asked just before it is sent: it may have been dropped while that was prepared. */
  isWanted(): boolean
}

/** Sends files: to the embedded endpoint, or straight into the object store where the credentials say so. */
export function openUploader(purpose: UploadPurpose, credentials: CredentialsSource, events: UploaderEvents) {
  const uppy = new Uppy<Meta, Body>({ autoProceed: true })
  /** Uppy's id of a file, by the item's. */
  const fileIds = new Map<string, string>()
  const itemIdOf = (fileId: string) => [...fileIds].find(([, one]) => one === fileId)?.[0]
  const tell = (file: UppyFile<Meta, Body> | undefined, say: (id: string) => void) => {
    const id = file && itemIdOf(file.id)
    if (id !== undefined) say(id)
  }
  let opening: Promise<'tus' | 's3'> | null = null

  async function open(): Promise<'tus' | 's3'> {
    const given = await credentials.get()
    if (given.kind === 'tus') {
      uppy.use(Tus<Meta, Body>, {
        endpoint: given.endpoint,
        chunkSize: TUS_CHUNK[purpose],
        limit: AT_ONCE,
        retryDelays: RETRY_DELAYS_MS,
        removeFingerprintOnSuccess: true,
        allowedMetaFields: ['name'],
        async onBeforeRequest(request) {
          const fresh = await credentials.get()
          if (fresh.kind === 'tus') request.setHeader(UPLOAD_TOKEN_HEADER, fresh.token)
        },
        onShouldRetry(error, attempt, _options, retries) {
          // The session was renewed, or the clock is off: one fresh token is tried.
          if (error.originalResponse?.getStatus() === 401 && attempt === 0) {
            void credentials.renew().catch(() => {})
            return true
          }
          const url = error.originalRequest?.getURL()
          const isTried = retries(error)
          if (isTried && url)
            tell(
              uppy.getFiles().find((file) => file.tus?.uploadUrl === url),
              events.onReconnecting,
            )
          return isTried
        },
      })
      return 'tus'
    }
    uppy.use(AwsS3<Meta, Body>, {
      limit: AT_ONCE,
      shouldUseMultipart: true,
      getChunkSize: () => S3_CHUNK,
      generateObjectKey: (file) => file.meta.key,
      async signRequest(request) {
        const fresh = await credentials.get()
        if (fresh.kind !== 's3') throw new Error('the store is no longer the one it was')
        return signRequest(request, fresh)
      },
    })
    return 's3'
  }

  uppy.on('upload-progress', (file, { bytesUploaded }) => {
    tell(file, (id) => {
      const latest = file && uppy.getFile(file.id)
      if (latest?.tus?.uploadUrl) events.onResume(id, { url: latest.tus.uploadUrl })
      const part = latest && 's3Multipart' in latest ? latest.s3Multipart : undefined
      if (part) events.onResume(id, { uri: uploadIdOf(part.key), key: part.key, upload_id: part.uploadId })
      events.onProgress(id, Number(bytesUploaded) || 0)
    })
  })
  uppy.on('upload-error', (file, error) => {
    tell(file, (id) => {
      const isFinal = /S3 returned 404/.test(error.message)
      if (isFinal) forget(id)
      events.onFailed(id, wordsOf(error), isFinal)
    })
  })
  uppy.on('upload-success', (file, response) => {
    tell(file, async (id) => {
      const uri = file?.meta.key ? uploadIdOf(file.meta.key) : uploadIdOf(response.uploadURL ?? '')
      await settle(id, uri, file?.meta.key !== '')
    })
  })

  /** The server looks for itself whether an object that went past it is whole. */
  async function settle(id: string, uri: string, isObject: boolean) {
    const fileId = fileIds.get(id)
    try {
      if (isObject) await call(finishUpload, { params: { uri } })
      // Dropped meanwhile: what it is sent as by now is another upload.
      if (fileIds.get(id) === fileId) events.onDone(id, uri)
    } catch (error) {
      if (fileIds.get(id) !== fileId) return
      // Out of reach, it is asked again; refused, the file is sent again.
      const isFinal = isCallError(error) && error.status >= 400 && error.status < 500
      if (isFinal) forget(id)
      events.onFailed(id, wordsOf(error), isFinal)
    }
  }

  function forget(id: string) {
    const fileId = fileIds.get(id)
    fileIds.delete(id)
    if (fileId !== undefined && uppy.getFile(fileId)) uppy.removeFile(fileId)
  }

  return {
    async add({ id, name, blob, resume, made, isWanted }: Sending): Promise<void> {
      opening ??= open()
      const kind = await opening.catch((error: unknown) => {
        opening = null
        throw error
      })
      let from = resume
      if (kind === 's3' && !(from && 'key' in from)) {
        const given = await credentials.get()
        const prefix = given.kind === 's3' ? given.prefix : ''
        from = { ...(await call(createUpload, { body: { name, size: blob.size, prefix } })), upload_id: null }
        if (isWanted()) events.onResume(id, from)
      }
      if (!isWanted()) return
      const key = kind === 's3' && from && 'key' in from ? from.key : ''
      const fileId = uppy.addFile({
        name,
        type: blob.type,
        data: blob,
        // Part of Uppy's id of the file, and so of where a begun one goes on.
        meta: { name, key, made, relativePath: `${made}/${name}` },
      })
      fileIds.set(id, fileId)
      // Before the batch begins, which is after this turn.
      if (from && 'url' in from) uppy.setFileState(fileId, { tus: { uploadUrl: from.url } })
      if (from && 'key' in from && from.upload_id) {
        uppy.setFileState(fileId, { s3Multipart: { uploadId: from.upload_id, key } })
      }
    },

    /** False when it is not here to be paused. */
    pause(id: string): boolean {
      const fileId = fileIds.get(id)
      if (fileId === undefined) return false
      if (!uppy.getFile(fileId)?.isPaused) uppy.pauseResume(fileId)
      return true
    },

    resume(id: string): boolean {
      const fileId = fileIds.get(id)
      if (fileId === undefined) return false
      const file = uppy.getFile(fileId)
      if (file?.progress.uploadComplete) void settle(id, uploadIdOf(file.meta.key), true)
      else if (file?.error) void uppy.retryUpload(fileId)
      else if (file?.isPaused) uppy.pauseResume(fileId)
      return true
    },

    /** Stops it, and has the server forget what it holds: `uri`, as far as it is known. */
    async remove(id: string, uri: string | null): Promise<void> {
      const fileId = fileIds.get(id)
      fileIds.delete(id)
      const file = fileId === undefined ? undefined : uppy.getFile(fileId)
      if (file) uppy.removeFile(file.id)
      // One on its way was cancelled at the endpoint by that. What stays behind is swept within a day.
      const isCancelled = file !== undefined && !file.progress.uploadComplete && file.meta.key === ''
      if (uri !== null && !isCancelled) await call(removeUpload, { params: { uri } }).catch(() => {})
    },

    /** Stops sending; what the server holds stays, and may go on. */
    close: () => uppy.pauseAll(),
  }
}

function wordsOf(error: unknown): string {
  if (isCallError(error)) return error.message
  const [, status] = /S3 returned (\d+)/.exec(String(error)) ?? []
  if (status) return `对象存储拒绝了上传（${status}），请重试`
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return reasonOfUpload(cause instanceof Error ? cause : new Error(String(cause)))
}
