import { AsyncLocalStorage } from 'node:async_hooks'
import { Metadata, Server, type Upload } from '@tus/server'
import { type Outcome, outcome } from '#contract/outcome.ts'
import { nameFault } from '#contract/upload.ts'
import { AppError } from '../../errors.ts'
import { failure } from '../../http/envelope.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from '../../http/plain-route.ts'
import { isDatabaseAway } from '../../postgres/away.ts'
import { isDiskFull } from '../../storage/disk-full.ts'
import type { LocalFiles } from '../../storage/file-store.ts'
import { checkTusHeaders } from './tus-headers.ts'

export interface TusEndpoint {
  path: string
  maxSize: number
  store: LocalFiles
  /** Checks that the caller may use the endpoint; `changes`: the request writes. */
  allow(changes: boolean): (request: FastifyRequest) => Promise<void>
  /** Answers the id of a new upload; throws if it may not begin. */
  begin(request: FastifyRequest): Promise<string>
  /** Called when the file could not be created. */
  notBegun?(id: string): Promise<void>
  /** Throws if the caller may not use the upload. */
  mayTouch(request: FastifyRequest, id: string): Promise<void>
  /** Called after the request was validated, before the bytes are deleted. */
  removing?(request: FastifyRequest, id: string): Promise<void>
  /** Called when all bytes have arrived; may be called again. */
  finished?(upload: Upload): Promise<void>
}

/** The upload of a request, as the router read its id from the path. */
interface Asked {
  id: string
  /** Runs once the library has accepted the request, before it touches the file. */
  accepted?: () => Promise<void>
}

/** The resumable upload protocol (tus 1.0) at `path`. */
export function mountTus(app: FastifyInstance, endpoint: TusEndpoint): void {
  const { path, store } = endpoint
  // By default the library searches the whole URL, query included, for an id and could find one that was not checked.
  const asked = new AsyncLocalStorage<Asked>()
  const tus = new Server({
    path,
    datastore: store.files,
    maxSize: endpoint.maxSize,
    relativeLocation: true,
    respectForwardedHeaders: false,
    namingFunction: () => idAsked(asked),
    getFileIdFromRequest: () => idAsked(asked),
    onIncomingRequest: async () => asked.getStore()?.accepted?.(),
    onUploadFinish: async (_request, upload) => {
      await endpoint.finished?.(upload)
      return {}
    },
    onResponseError: async (_request, error) => {
      const known = isDatabaseAway(error) ? new AppError('databaseAway') : error
      if (known instanceof AppError) return { status_code: known.status, body: JSON.stringify(failure(known)) }
      const isFull = isDiskFull(error)
      // Status 400 stops the client's own retries, during which the page would seem to hang.
      const status = isFull ? 400 : 'status_code' in error ? error.status_code : 500
      const reason = isFull ? outcome('upload_disk_full') : (REASONS[status] ?? outcome('upload_failed'))
      const fault = status === 413 ? new AppError('tooLarge') : new AppError('uploadRefused', { reason })
      return { status_code: status, body: JSON.stringify(failure(fault)) }
    },
  })

  app.register(async (scope) => {
    // The library reads the body, whatever its type is said to be.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const hidden = { schema: { hide: true } }
    scope.route({
      ...hidden,
      method: 'POST',
      url: path,
      onRequest: endpoint.allow(true),
      handler: async (request, reply) => {
        checkTusHeaders(request)
        const id = await endpoint.begin(request)
        reply.hijack()
        await asked.run({ id }, () => tus.handle(request.raw, reply.raw))
        if (reply.raw.statusCode !== 201) await endpoint.notBegun?.(id)
      },
    })
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const { id } = request.params as { id: string }
      await endpoint.mayTouch(request, id)
      checkTusHeaders(request)
      const accepted = async () => {
        if (request.method === 'DELETE') await endpoint.removing?.(request, id)
      }
      reply.hijack()
      await asked.run({ id, accepted }, () => tus.handle(request.raw, reply.raw))
    }
    scope.route({
      ...hidden,
      method: ['PATCH', 'DELETE'],
      url: `${path}/:id`,
      onRequest: endpoint.allow(true),
      handler: handle,
    })
    scope.route({
      ...hidden,
      method: 'HEAD',
      url: `${path}/:id`,
      onRequest: endpoint.allow(false),
      handler: handle,
    })
  })
}

function idAsked(asked: AsyncLocalStorage<Asked>): string {
  const id = asked.getStore()?.id
  if (id === undefined) throw new Error('the upload library was asked outside a request')
  return id
}

/** The file's name as announced, '' if there is none. Names that are too long are refused: cutting drops the ending. */
export function announcedName({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const name = metadataIn(headers['upload-metadata']).filename ?? ''
  const reason = nameFault(name)
  if (reason) throw new AppError('uploadRefused', { reason })
  return name
}

/** Whether the browser made the file by hashing values, which are longer then. */
export const announcesHashed = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  metadataIn(headers['upload-metadata']).hashed === '1'

function metadataIn(metadata: string | string[] | undefined): Record<string, string | null | undefined> {
  if (metadata === undefined) return {}
  try {
    return Metadata.parse(String(metadata))
  } catch {
    throw new AppError('uploadRefused', { reason: outcome('upload_name_missing') })
  }
}

/** By the status that the library answers with. */
const REASONS: Record<number, Outcome> = {
  404: outcome('upload_expired'),
  409: outcome('upload_offset_differs'),
  410: outcome('upload_expired'),
}
