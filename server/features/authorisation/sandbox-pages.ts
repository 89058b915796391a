import type { Kysely } from 'kysely'
import { CALLBACK_PATH } from '#contract/authorisation.ts'
import { guard } from '../../http/mount.ts'
import type { FastifyInstance } from '../../http/plain-route.ts'
import { ADAPTERS } from '../../platforms/adapters.ts'
import { SANDBOX_PAGES } from '../../platforms/addresses.ts'
import type { Database } from '../../postgres/schema.ts'

interface Deps {
  db: Kysely<Database>
  publicUrl: string | undefined
  /** The base of the sandbox that this process started; null when it started none. */
  sandboxUrl(): Promise<string | null>
}

const PAGES = new Set(
  Object.values(ADAPTERS).flatMap(({ sandbox }) => sandbox?.pages.map((page) => `${sandbox.prefix}${page}`) ?? []),
)
const FORM_MOST = 64 * 1024
const WITHIN_MS = 10_000
/** The page's styles are inline; its form posts to itself, which redirects to our callback. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * Passes on the sandbox's OAuth pages and nothing else of it, since the sandbox listens on the loopback only and the
 * viewer's browser may be on another machine.
 */
export function mountSandboxPages(app: FastifyInstance, { db, publicUrl, sandboxUrl }: Deps): void {
  const allow = guard(db, publicUrl)
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_MOST },
      (_request, body, done) => done(null, body),
    )
    for (const method of ['GET', 'POST'] as const) {
      scope.route({
        method,
        url: `${SANDBOX_PAGES}/*`,
        schema: { hide: true },
        onRequest: allow('viewer', { changes: method === 'POST' }),
        handler: async (request, reply) => {
          const [path = '', query = ''] = request.url.slice(SANDBOX_PAGES.length).split(/\?(.*)/s)
          const base = PAGES.has(path) ? await sandboxUrl() : null
          if (base === null) return reply.callNotFound()
          const answer = await fetch(`${base}${path}?${query}`, {
            method,
            redirect: 'manual',
            signal: AbortSignal.timeout(WITHIN_MS),
            ...(method === 'POST'
              ? { body: String(request.body ?? ''), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
              : {}),
          })
          const location = answer.headers.get('location')
          // Redirects only to our own callback.
          if (location !== null && !isOwnCallback(location, request.host, publicUrl)) return reply.callNotFound()
          if (location !== null) return reply.header('cache-control', 'no-store').redirect(location, 303)
          return (
            reply
              .code(answer.status)
              .header('content-security-policy', POLICY)
              .header('cache-control', 'no-store')
              // With no-referrer the form would send the origin `null` and be refused as from another site.
              .header('referrer-policy', 'same-origin')
              .type('text/html; charset=utf-8')
              .send(await answer.text())
          )
        },
      })
    }
  })
}

function isOwnCallback(location: string, host: string, publicUrl: string | undefined): boolean {
  const url = URL.parse(location)
  if (url === null || !url.pathname.startsWith(`${CALLBACK_PATH}/`)) return false
  // A default port may be left out in one and present in the other.
  const own = URL.parse(`${url.protocol}//${host}`)
  return url.host === own?.host || (publicUrl !== undefined && url.origin === new URL(publicUrl).origin)
}
