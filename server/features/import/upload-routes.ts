import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import type { Kysely } from 'kysely'
import { IMPORT_UPLOAD_MAX, UPLOAD_PATH } from '#contract/import.ts'
import { AppError } from '../../errors.ts'
import { phoneMasking } from '../../files/mask-phones.ts'
import { guard } from '../../http/mount.ts'
import type { FastifyInstance, FastifyRequest } from '../../http/plain-route.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { announcedName, mountTus } from '../../storage/tus-endpoint.ts'
import type { ImportService } from './service.ts'
import type { UploadStore } from './upload-store.ts'

interface Deps {
  db: Kysely<Database>
  publicUrl: string | undefined
  uploads: UploadStore
  imports: ImportService
}

const REFUSED_URL = '/api/import/:id/refused'

/** What is no JSON call: the resumable upload (tus), and the download of refused rows. */
export function mountUploads(app: FastifyInstance, { db, publicUrl, uploads, imports }: Deps): void {
  const allow = guard(db, publicUrl)
  const viewerOf = (request: FastifyRequest) => request.viewer as Viewer

  mountTus(app, {
    path: UPLOAD_PATH,
    maxSize: IMPORT_UPLOAD_MAX,
    store: uploads.store,
    allow: (changes) => allow('viewer', changes),
    async begin(request) {
      const { id } = viewerOf(request)
      announcedName(request)
      // One of unknown size could grow past what the viewer may hold.
      const size = Number(request.headers['upload-length'] ?? Number.NaN)
      if (!Number.isSafeInteger(size) || size < 0) throw new AppError('uploadRefused', { reason: '请求缺少文件大小' })
      await uploads.mustHaveRoom(id, size)
      return uploads.newId(id)
    },
    async mayTouch(request, id) {
      if (!uploads.isOf(id, viewerOf(request).id)) throw new AppError('notFound', { what: '上传' })
    },
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
