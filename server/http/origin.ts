import type { FastifyRequest } from 'fastify'
import { PAGE_HEADER } from '#contract/endpoint.ts'

/**
 * Whether a changing call comes from our own pages: the browser sends a matching `Sec-Fetch-Site`, or an `Origin` equal
 * to the requested address, or at least the header that our pages set. A call with none of them is refused, and so is
 * one whose headers disagree.
 */
export function isSameOrigin(request: Pick<FastifyRequest, 'headers'>, publicUrl: string | undefined): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const origin = request.headers.origin
  if (origin === undefined) return site === 'same-origin' || request.headers[PAGE_HEADER] !== undefined
  if (publicUrl && origin === new URL(publicUrl).origin) return true
  try {
    return new URL(origin).host === request.headers.host
  } catch {
    return false
  }
}
