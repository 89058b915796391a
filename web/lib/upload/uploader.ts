import AwsS3 from '@uppy/aws-s3'
import Uppy, { type UppyFile } from '@uppy/core'
import Tus from '@uppy/tus'
import { createUpload, finishUpload, removeUpload, UPLOAD_TOKEN_HEADER, type UploadPurpose } from '#contract/upload.ts'
import { call, isCallError } from '../call.ts'
import type { CredentialsSource } from './credentials.ts'
import { reasonOfUpload, uploadIdOf } from './resumable.ts'
import { signRequest } from './sign-request.ts'
import type { Resume } from './transfer.ts'

/** Bytes per request; after a lost connection at most one request is repeated. */
const TUS_CHUNK: Record<UploadPurpose, number> = { crowd: 4 * 1024 ** 2, import: 16 * 1024 ** 2 }
/** The smallest part that object stores accept. */
const S3_CHUNK = 5 * 1024 ** 2
const AT_ONCE = 3
const RETRY_DELAYS_MS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000]

/** A file that is sent as it was chosen. */
export const RAW = 'raw'

type Meta = { name: string; key: string; hashed: string; [other: string]: unknown }
type Body = Record<string, never>

export interface UploaderEvents {
  onProgress(id: string, sent: number): void
  onReconnecting(id: string): void
  onResume(id: string, resume: Resume): void
  onDone(id: string, uri: string): void
  /** `isFinal`: what the server has cannot be continued; a retry starts from the beginning. */
  onFailed(id: string, reason: string, isFinal: boolean): void
}

export interface Sending {
  id: string
  name: string
  blob: Blob
  /** Where an interrupted upload continues; null for a new one. */
  resume: Resume | null
  /** How the file was prepared: the type that it was hashed to, or `RAW`. */
  made: string
  /** Called just before sending: the file may have been dropped meanwhile. */
  isWanted(): boolean
}

/** Sends files to the server's own upload endpoint, or directly to the object store if the credentials are for one. */
export function openUploader(purpose: UploadPurpose, credentials: CredentialsSource, events: UploaderEvents) {
  const uppy = new Uppy<Meta, Body>({ autoProceed: true })
  /** Item id to Uppy's file id. */
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
        // By itself it would continue any unfinished upload of a file that looks the same; the page knows its own.
        storeFingerprintForResuming: false,
        allowedMetaFields: ['name', 'hashed'],
        async onBeforeRequest(request) {
          const fresh = await credentials.get()
          if (fresh.kind === 'tus') request.setHeader(UPLOAD_TOKEN_HEADER, fresh.token)
        },
        onShouldRetry(error, attempt, _options, retries) {
          // The session was renewed, or the clock is wrong: tries once with a new token.
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
      const isFinal = storeStatus(error) === 404
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

  /** Asks the server to check that an object sent directly to the store is complete. */
  async function settle(id: string, uri: string, isObject: boolean) {
    const fileId = fileIds.get(id)
    try {
      if (isObject) await call(finishUpload, { params: { uri } })
      // If the file was dropped or sent again meanwhile, this result is outdated.
      if (fileIds.get(id) === fileId) events.onDone(id, uri)
    } catch (error) {
      if (fileIds.get(id) !== fileId) return
      // If the server is unreachable, a retry repeats this check; if it refused, a retry sends the file again.
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
        from = {
          ...(await call(createUpload, { body: { name, size: blob.size, prefix, hashed: made !== RAW } })),
          upload_id: null,
        }
        if (isWanted()) events.onResume(id, from)
      }
      if (!isWanted()) return
      const key = kind === 's3' && from && 'key' in from ? from.key : ''
      const fileId = uppy.addFile({
        name,
        type: blob.type,
        data: blob,
        // Part of Uppy's own id of the file; hashed files of one name often have one size too.
        meta: { name, key, hashed: made === RAW ? '' : '1', relativePath: id },
      })
      fileIds.set(id, fileId)
      // Uppy starts the batch in a later task, so the state is set in time.
      if (from && 'url' in from) uppy.setFileState(fileId, { tus: { uploadUrl: from.url } })
      if (from && 'key' in from && from.upload_id) {
        uppy.setFileState(fileId, { s3Multipart: { uploadId: from.upload_id, key } })
      }
    },

    /** False if the file is not being sent. */
    pause(id: string): boolean {
      const fileId = fileIds.get(id)
      if (fileId === undefined) return false
      const file = uppy.getFile(fileId)
      if (!file.progress.uploadStarted) {
        // Uppy never sends a file that was paused before its batch began.
        forget(id)
        return false
      }
      if (!file.isPaused) uppy.pauseResume(fileId)
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

    /** Stops sending, and deletes what the server has; `uri` is null if unknown. */
    async remove(id: string, uri: string | null): Promise<void> {
      const fileId = fileIds.get(id)
      fileIds.delete(id)
      const file = fileId === undefined ? undefined : uppy.getFile(fileId)
      if (file) uppy.removeFile(file.id)
      // Removing a running tus upload from Uppy already deletes it on the server. Leftovers are deleted within a day.
      const isCancelled = file !== undefined && !file.error && !file.progress.uploadComplete && file.meta.key === ''
      if (uri !== null && !isCancelled) await call(removeUpload, { params: { uri } }).catch(() => {})
    },

    /** Stops sending; uploads can be continued later. */
    close: () => uppy.pauseAll(),
  }
}

function wordsOf(error: unknown): string {
  if (isCallError(error)) return error.message
  const status = storeStatus(error)
  if (status !== null) return `对象存储拒绝了上传（${status}），请重试`
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return reasonOfUpload(cause instanceof Error ? cause : new Error(String(cause)))
}

/** The status with which the object store refused a request; null for any other error. */
const storeStatus = (error: unknown): number | null =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : null
