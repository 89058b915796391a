import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * An onSend hook for large answers that pages ask for again and again: they carry an ETag, and a caller who has this very
 * answer gets 304. Browsers may keep it, each viewer's apart, and must ask before they use it.
 */
export async function answerOnce(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
  // Weak, since the bytes differ by how they are compressed.
  const etag = `W/"${createHash('sha256').update(payload).digest('base64url')}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'Cookie, Authorization' })
  if (request.headers['if-none-match'] !== etag) return payload
  reply.code(304)
  return null
}
