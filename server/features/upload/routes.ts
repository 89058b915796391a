import type { Kysely } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import {
  createUpload,
  finishUpload,
  getUploadCredentials,
  removeUpload,
  signUpload,
  UPLOAD_TOKEN_HEADER,
  type UploadPurpose,
} from '#contract/upload.ts'
import { AppError } from '../../errors.ts'
import { guard } from '../../http/mount.ts'
import type { FastifyInstance, FastifyRequest } from '../../http/plain-route.ts'
import { serve } from '../../http/serve.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { UNNAMED } from './earlier-files.ts'
import { type NewFile, PURPOSES } from './purposes.ts'
import type { UploadService } from './service.ts'
import { announcedName, announcesHashed, mountTus } from './tus-endpoint.ts'

export const uploadRoutes = (uploads: UploadService) => [
  serve(getUploadCredentials, ({ viewer, query }) => uploads.credentials(viewer, query.purpose, query.prefix)),
  serve(createUpload, ({ viewer, body }) => uploads.create(viewer, body)),
  serve(signUpload, ({ viewer, params, body }) => uploads.sign(viewer, params.uri, body)),
  serve(finishUpload, ({ viewer, params }) => uploads.finish(viewer, params.uri)),
  serve(removeUpload, ({ viewer, params }) => uploads.discard(viewer, params.uri)),
]

interface Deps {
  db: Kysely<Database>
  publicUrl: string | undefined
  uploads: UploadService
}

/** The embedded endpoints: one for crowds, one for imports. */
export function mountUploads(app: FastifyInstance, { db, publicUrl, uploads }: Deps): void {
  const viewerOf = (request: FastifyRequest) => request.viewer as Viewer
  const checkSession = guard(db, publicUrl)

  /** The token is sent in a header that pages of other sites cannot set. */
  async function byToken(request: FastifyRequest): Promise<void> {
    const token = request.headers[UPLOAD_TOKEN_HEADER]
    request.viewer = typeof token === 'string' ? await uploads.tokens.viewerOf(token) : null
    if (!request.viewer) throw new AppError('signedOut')
  }

  const mountFor = (purpose: UploadPurpose) =>
    mountTus(app, {
      path: PURPOSES[purpose].path,
      maxSize: PURPOSES[purpose].fileMax,
      store: uploads.files,
      allow: (changes) => async (request) => {
        // Scripts may upload files for imports with a session or an API token, as for any call.
        const isScript = purpose === 'import' && request.headers[UPLOAD_TOKEN_HEADER] === undefined
        await (isScript ? checkSession('viewer', { changes })(request) : byToken(request))
      },
      begin: (request) => uploads.begin(viewerOf(request), announced(purpose, request)),
      notBegun: async (id) => void (await uploads.forget(id)),
      mayTouch: async (request, id) => void (await uploads.mine(viewerOf(request), id)),
      // The row is deleted first, so that nothing can use the upload after its bytes are gone.
      removing: async (request, id) => void (await uploads.release(viewerOf(request), id)),
      finished: async ({ id }) => void (await uploads.setComplete(id)),
    })
  mountFor('crowd')
  mountFor('import')
}

/** The announced name and size of the file. An unknown size is refused, since it could exceed the viewer's quota. */
function announced(purpose: UploadPurpose, request: FastifyRequest): NewFile {
  const size = Number(request.headers['upload-length'] ?? Number.NaN)
  if (!Number.isSafeInteger(size) || size < 0)
    throw new AppError('uploadRefused', { reason: outcome('upload_size_missing') })
  const name = announcedName(request)
  if (name === '' && purpose === 'crowd')
    throw new AppError('uploadRefused', { reason: outcome('upload_name_missing') })
  return { purpose, name: name || UNNAMED, size, isHashed: announcesHashed(request) }
}
