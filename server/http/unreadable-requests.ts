import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { failure } from './envelope.ts'

/** Answers a request whose URL the router cannot read; such a request reaches no error handler. */
export function answerBadUrl({ code }: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const error = new AppError(code === 'FST_ERR_MAX_PARAM_LENGTH' ? 'urlTooLong' : 'badUrl')
  reply.code(error.status).header('cache-control', 'no-store').send(failure(error))
}

/** Answers, with the envelope, a request that Node cannot parse as HTTP, and closes the connection. */
export function answerUnreadable({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const error = new AppError(faultOf(code))
  const text = JSON.stringify(failure(error))
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  )
}

function faultOf(code: string | undefined) {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headersTooLarge'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'bodyStalled' : 'unreadable'
}
