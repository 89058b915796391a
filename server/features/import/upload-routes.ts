import { AsyncLocalStorage } from 'node:async_hooks'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { Server } from '@tus/server'
import type { Kysely } from 'kysely'
import { IMPORT_UPLOAD_MAX, UPLOAD_PATH } from '#contract/import.ts'
import { AppError } from '../../errors.ts'
import { failure } from '../../http/envelope.ts'
import { guard } from '../../http/mount.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from '../../http/plain-route.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { isDiskFull } from './failure.ts'
import { phoneMasking } from './mask-phones.ts'
import type { ImportService } from './service.ts'
import { UPLOAD_DISK_FULL, type UploadStore } from './upload-store.ts'

interface Needs {
  db: Kysely<Database>
  publicUrl: string | undefined
  uploads: UploadStore
  imports: ImportService
}

const REFUSED_URL = '/api/import/:id/refused'

/** What is no JSON call: the resumable upload (tus), and the download of refused rows. */
export function mountUploads(app: FastifyInstance, { db, publicUrl, uploads, imports }: Needs): void {
  const allow = guard(db, publicUrl)
  const viewerOf = (request: FastifyRequest) => request.viewer as Viewer

  /** Whose upload the library is naming. */
  const owner = new AsyncLocalStorage<number>()
  const tus = new Server({
    path: UPLOAD_PATH,
    datastore: uploads.files,
    maxSize: IMPORT_UPLOAD_MAX,
    relativeLocation: true,
    respectForwardedHeaders: false,
    namingFunction: () => uploads.newId(owner.getStore() ?? 0),
    onResponseError: async (_request, error) => {
      // Refused for good: what is tried again by itself would seem to hang.
      const status = isDiskFull(error) ? 400 : 'status_code' in error ? error.status_code : 500
      const fault =
        status === 413 ? new AppError('tooLarge') : new AppError('uploadRefused', { reason: wordsOf(error) })
      return { status_code: status, body: JSON.stringify(failure(fault)) }
    },
  })

  app.register(async (scope) => {
    // The body is the library's to read.
    scope.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null))
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const { id } = request.params as { id?: string }
      if (id !== undefined && !uploads.isOf(id, viewerOf(request).id)) throw new AppError('notFound', { what: '上传' })
      if (request.method === 'POST') {
        const announced = Number(request.headers['upload-length'] ?? IMPORT_UPLOAD_MAX)
        await uploads.mustHaveRoom(viewerOf(request).id, announced)
      }
      reply.hijack()
      await owner.run(viewerOf(request).id, () => tus.handle(request.raw, reply.raw))
    }
    scope.route({
      method: 'POST',
      url: UPLOAD_PATH,
      onRequest: allow('viewer', true),
      schema: { hide: true },
      handler: handle,
    })
    scope.route({
      method: ['PATCH', 'DELETE'],
      url: `${UPLOAD_PATH}/:id`,
      onRequest: allow('viewer', true),
      schema: { hide: true },
      handler: handle,
    })
    scope.route({
      method: 'HEAD',
      url: `${UPLOAD_PATH}/:id`,
      onRequest: allow('viewer', false),
      schema: { hide: true },
      handler: handle,
    })
  })

  app.route({
    method: 'GET',
    url: REFUSED_URL,
    schema: { hide: true },
    onRequest: allow('viewer', false),
    handler: async (request, reply) => {
      const { id } = request.params as { id: string }
      const { path, file_name, hidesPhones } = await imports.refusedFile(viewerOf(request), Number(id))
      const file = createReadStream(path)
      return (
        reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file_name)}`)
          // A file that breaks off ends the reply, which is all that can be done by then.
          .send(hidesPhones ? pipeline(file, phoneMasking(), () => {}) : file)
      )
    },
  })
}

function wordsOf(error: Error | { body: string }): string {
  if (isDiskFull(error)) return UPLOAD_DISK_FULL
  const said = 'body' in error ? error.body.trim() : ''
  if (/offset/i.test(said)) return '上传位置与已收到的不一致，请重试'
  if (/not found|gone/i.test(said)) return '这次上传已过期，请重新上传'
  return '上传失败，请重试'
}
