import { outcome } from '#contract/outcome.ts'
import { AppError } from '../../errors.ts'
import type { FastifyRequest } from '../../http/plain-route.ts'

const VERSION = '1.0.0'

const isCount = (text: unknown) =>
  typeof text === 'string' && /^(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text))

/**
 * Refuses headers that break the upload protocol. The library refuses them too, in English and outside the envelope.
 */
export function checkTusHeaders({ method, headers }: FastifyRequest): void {
  if (headers['tus-resumable'] !== VERSION) throw new AppError('uploadProtocolVersion')
  if (headers['upload-concat'] !== undefined)
    throw new AppError('uploadRefused', { reason: outcome('upload_in_parts_unsupported') })
  const wrong = (header: string) =>
    new AppError('uploadRefused', { reason: outcome('upload_header_wrong', { header }) })
  const { 'upload-length': length, 'upload-offset': offset } = headers
  if (length !== undefined && !isCount(length)) throw wrong('Upload-Length')
  if (offset === undefined ? method === 'PATCH' : !isCount(offset)) throw wrong('Upload-Offset')
  if (method === 'PATCH' && headers['content-type'] !== 'application/offset+octet-stream') throw wrong('Content-Type')
}
