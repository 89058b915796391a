import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Some proxies write the port of the connection too, as `203.0.113.7:4711` or `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[(?<inside>[^\]]+)\]|(?<before>[\d.]+))(?::\d+)?$/

/** An address without the port that a proxy may have written behind it. */
export function withoutPort(address: string): string {
  const { inside, before } = WITH_PORT.exec(address)?.groups ?? {}
  return inside ?? before ?? address
}

/** The caller's address; the peer's if a proxy wrote something else, and unknown if the connection was reset. */
export function callerAddress({ ip, socket }: { ip: string | undefined; socket: FastifyRequest['socket'] }): string {
  const address = withoutPort(ip ?? '')
  return isIP(address) ? address : (socket.remoteAddress ?? '')
}

/** What limits count by: an IPv4 address, or the /64 of an IPv6 address, all of which one customer of a provider has. */
export const addressGroup = (address: string): string => normalizeIP(address)

/** The log message for an X-Forwarded-For header that was ignored. */
export const UNTRUSTED_FORWARD = 'X-Forwarded-For of a peer that is no trusted proxy was ignored'
/** Anyone can send the header, so only this many peers are named in the log, each once. */
const PEERS_LOGGED_MAX = 20

/** Logs a peer whose X-Forwarded-For is ignored: probably a proxy that is missing in the settings. */
export function warnAboutForwards(
  app: FastifyInstance,
  { publicUrl, isTrusted }: { publicUrl: string | undefined; isTrusted(address: string): boolean },
): void {
  const logged = new Set<string>()
  app.addHook('onRequest', async (request) => {
    if (request.headers['x-forwarded-for'] === undefined) return
    const peer = request.socket.remoteAddress ?? ''
    if (publicUrl !== undefined && isTrusted(peer)) return
    if (logged.has(peer) || logged.size >= PEERS_LOGGED_MAX) return
    logged.add(peer)
    request.log.warn(
      {
        peer,
        set: publicUrl === undefined ? 'PUBLIC_URL, and TRUSTED_PROXIES for a proxy elsewhere' : 'TRUSTED_PROXIES',
      },
      UNTRUSTED_FORWARD,
    )
  })
}
