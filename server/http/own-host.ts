import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

export interface HostOptions {
  /** The HOST setting: a name or an address; `0.0.0.0` and `::` mean every address of the machine. */
  host: string
  publicUrl: string | undefined
}

/**
 * Refuses every request whose Host header does not name this console. Otherwise another site could point its own name at
 * this machine (DNS rebinding), and the browser and `isSameOrigin` would take its page for one of ours.
 */
export function refuseForeignHosts(app: FastifyInstance, options: HostOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isOwnHost(request.headers.host, options, request.socket.localAddress)) return
    const refusal = new AppError('foreignHost')
    if (!request.headers.accept?.includes('text/html')) throw refusal
    // A person typed the address, so the answer is a sentence instead of the envelope.
    return sentence(reply, refusal)
  })
}

const sentence = (reply: FastifyReply, { status, message }: AppError) =>
  reply.code(status).type('text/plain; charset=utf-8').send(message)

/**
 * Whether a Host header names this console: loopback, PUBLIC_URL's host, the HOST setting, or the address that the
 * connection was made to. Ports are not compared: rebinding changes what a name means, never a port. X-Forwarded-Host is
 * ignored, since a page can set it.
 */
export function isOwnHost(
  header: FastifyRequest['headers']['host'],
  { host, publicUrl }: HostOptions,
  localAddress: string | undefined,
): boolean {
  const name = hostnameOf(header)
  if (name === undefined) return false
  if (isLoopback(name)) return true
  const own = [publicUrl && new URL(publicUrl).host, bracketed(host), bracketed(unmapped(localAddress))]
  return own.some((one) => one && hostnameOf(one) === name)
}

/** The name or address in `name`, `name:port`, `1.2.3.4:port` or `[::1]:port`, as URLs spell it. */
function hostnameOf(header: string | undefined): string | undefined {
  if (!header || !/^[^\s/?#@\\]+$/.test(header)) return undefined
  // A fully qualified name may end in a dot.
  return URL.parse(`http://${header}`)?.hostname.replace(/\.$/, '')
}

const isLoopback = (name: string) => name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name)

const bracketed = (address: string | undefined) => (address && isIP(address) === 6 ? `[${address}]` : address)

/** An IPv4 connection to a socket that listens on IPv6 shows its address as `::ffff:1.2.3.4`. */
const unmapped = (address: string | undefined) => address?.replace(/^::ffff:(?=\d+\.)/, '')
