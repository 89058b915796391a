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
/** Its styles are inline; its form goes to itself and from there to our callback. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * The sandbox listens on the loopback alone, where a viewer's browser need not be: its OAuth pages, and nothing else of
 * it, are passed on.
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
        onRequest: allow('viewer', method === 'POST'),
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
          // Back to where an authorisation began, and nowhere else.
          if (location !== null && !isOwnCallback(location, request.host, publicUrl)) return reply.callNotFound()
          if (location !== null) return reply.header('cache-control', 'no-store').redirect(location, 303)
          return (
            reply
              .code(answer.status)
              .header('content-security-policy', POLICY)
              .header('cache-control', 'no-store')
              // Under no-referrer the form would name `null` as its origin, and be refused as a stranger's.
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
  // A default port is left out of the one and may stand in the other.
  const own = URL.parse(`${url.protocol}//${host}`)
  return url.host === own?.host || (publicUrl !== undefined && url.origin === new URL(publicUrl).origin)
}
