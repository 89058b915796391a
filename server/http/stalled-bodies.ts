import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { failure } from './envelope.ts'

/** Answers a request whose body stops arriving for this long with 408, and closes its connection. */
export function endStalledBodies(app: FastifyInstance, stallMs: number): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    const { socket } = raw
    // A request that a test injects has no connection.
    if (!(socket instanceof Socket)) return
    if (raw.complete || (!raw.headers['content-length'] && !raw.headers['transfer-encoding'])) return
    // Node destroys the connection at a timeout without a listener; a body that has arrived may wait to be read.
    reply.raw.on('timeout', () => {})
    raw.setTimeout(stallMs, () => answerStalled(request, reply))
    // A refusal is answered before its body was read. The time that remains then is that of a connection without calls.
    const endWait = () => {
      if (!reply.raw.writableFinished) socket.setTimeout(0)
    }
    raw.once('close', endWait)
    raw.once('end', endWait)
  })
}

function answerStalled({ raw }: FastifyRequest, reply: FastifyReply): void {
  const answer = reply.raw
  if (answer.headersSent) return void raw.destroy()
  const error = new AppError('bodyStalled')
  const text = JSON.stringify(failure(error))
  // Nothing else may answer any more: the body's reader fails when the connection is closed.
  reply.hijack()
  answer.writeHead(error.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    connection: 'close',
  })
  answer.end(text, () => raw.destroy())
}
