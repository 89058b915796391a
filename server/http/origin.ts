import type { FastifyRequest } from 'fastify'

/**
 * Whether a changing call comes from our own pages: the browser sends a matching `Sec-Fetch-Site`, or an `Origin` equal
 * to the requested address. A call with neither header is refused, and so is one whose headers disagree.
 */
export function isSameOrigin(request: Pick<FastifyRequest, 'headers'>, publicUrl: string | undefined): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const origin = request.headers.origin
  if (origin === undefined) return site === 'same-origin'
  if (publicUrl && origin === new URL(publicUrl).origin) return true
  try {
    return new URL(origin).host === request.headers.host
  } catch {
    return false
  }
}
