import {
  CROWD_UPLOAD_PATH,
  createUpload,
  finishUpload,
  getUploadCredentials,
  removeUpload,
  signUpload,
  UPLOAD_FILE_MAX,
  UPLOAD_TOKEN_HEADER,
} from '#contract/upload.ts'
import { AppError } from '../../errors.ts'
import type { FastifyInstance, FastifyRequest } from '../../http/plain-route.ts'
import { serve } from '../../http/serve.ts'
import type { Viewer } from '../../http/viewer.ts'
import { announcedName, mountTus } from '../../storage/tus-endpoint.ts'
import type { UploadService } from './service.ts'

export const uploadRoutes = (uploads: UploadService) => [
  serve(getUploadCredentials, ({ viewer, query }) => uploads.credentials(viewer, query.prefix)),
  serve(createUpload, ({ viewer, body }) => uploads.create(viewer, body)),
  serve(signUpload, ({ viewer, params, body }) => uploads.sign(viewer, params.uri, body)),
  serve(finishUpload, ({ viewer, params }) => uploads.finish(viewer, params.uri)),
  serve(removeUpload, ({ viewer, params }) => uploads.discard(viewer, params.uri)),
]

/** The embedded endpoint. Its token travels in a header of its own, which no page of another site can send. */
export function mountCrowdUploads(app: FastifyInstance, uploads: UploadService): void {
  const viewerOf = (request: FastifyRequest) => request.viewer as Viewer

  mountTus(app, {
    path: CROWD_UPLOAD_PATH,
    maxSize: UPLOAD_FILE_MAX,
    store: uploads.files,
    allow: () => async (request) => {
      const token = request.headers[UPLOAD_TOKEN_HEADER]
      request.viewer = typeof token === 'string' ? await uploads.tokens.viewerOf(token) : null
      if (!request.viewer) throw new AppError('signedOut')
    },
    begin: (request) => uploads.begin(viewerOf(request), announced(request)),
    notBegun: async (id) => void (await uploads.forget(id)),
    mayTouch: async (request, id) => void (await uploads.mine(viewerOf(request), id)),
    // Its row goes first: a crowd that takes it meanwhile must not find its bytes gone.
    removing: async (request, id) => void (await uploads.release(viewerOf(request), id)),
    finished: async ({ id }) => void (await uploads.setComplete(id)),
  })
}

/** The file's name and size as the request announces them. */
function announced(request: FastifyRequest): { name: string; size: number } {
  const size = Number(request.headers['upload-length'] ?? Number.NaN)
  if (!Number.isSafeInteger(size) || size < 0) throw new AppError('uploadRefused', { reason: '请求缺少文件大小' })
  const name = announcedName(request)
  if (name === '') throw new AppError('uploadRefused', { reason: '请求缺少文件名' })
  return { name, size }
}
