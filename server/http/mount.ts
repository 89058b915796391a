import type {} from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Endpoint } from '#contract/endpoint.ts'
import { AppError } from '../errors.ts'
import type { Database } from '../postgres/schema.ts'
import { callerAddress } from './caller-address.ts'
import { envelopeOf, Failure, ok } from './envelope.ts'
import { isSameOrigin } from './origin.ts'
import type { Route } from './serve.ts'
import { bearerOf, SESSION_COOKIE, SESSION_SECONDS, type Viewer, viewerOf } from './viewer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | null
  }
}

export const changesSomething = (endpoint: Endpoint): boolean => endpoint.changes ?? endpoint.method !== 'GET'

/** Everything under /api/v1 is also served under /v1. */
export const spellingsOf = (path: string): string[] =>
  path.startsWith('/api/v1/') ? [path, path.slice('/api'.length)] : [path]

/** Refuses a changing call that came neither from our page nor with a bearer token, then a caller without the right. */
export function guard(db: Kysely<Database>, publicUrl: string | undefined) {
  return (access: Endpoint['access'], changes: boolean) =>
    async (request: FastifyRequest): Promise<void> => {
      if (changes && !bearerOf(request) && !isSameOrigin(request, publicUrl)) throw new AppError('foreignOrigin')
      request.viewer = await viewerOf(db, request)
      if (access === 'public') return
      if (!request.viewer) throw new AppError('signedOut')
      if (access === 'admin' && !request.viewer.is_admin) throw new AppError('forbidden')
    }
}

/** Puts routes on Fastify: parsing, answer checking and the API document all come from the endpoint. */
export function mount(
  app: FastifyInstance,
  routes: readonly Route[],
  options: { db: Kysely<Database>; publicUrl: string | undefined },
): void {
  const allow = guard(options.db, options.publicUrl)
  for (const { endpoint, handle, path } of routes.flatMap(withEveryPath)) {
    const named = path.includes('{')
    app.route({
      method: endpoint.method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      schema: {
        summary: endpoint.summary,
        tags: [endpoint.group],
        ...(endpoint.access === 'public' ? { security: [] } : {}),
        ...(endpoint.params && named ? { params: endpoint.params } : {}),
        ...(endpoint.query ? { querystring: endpoint.query } : {}),
        ...(endpoint.body ? { body: endpoint.body } : {}),
        response: { 200: envelopeOf(endpoint.data), '4xx': Failure, '5xx': Failure },
      },
      onRequest: allow(endpoint.access, changesSomething(endpoint)),
      // A call may omit its body if every field has a default.
      preValidation: async (request) => {
        if (endpoint.body) request.body ??= {}
      },
      handler: async (request, reply) => {
        const cookie = request.cookies[SESSION_COOKIE]
        // Set before the call, since the call may end the session or start another.
        if (request.viewer?.is_renewed && cookie) setSession(reply, cookie, options.publicUrl)
        return ok(
          await handle({
            // `allow` has refused callers without a viewer if the endpoint needs one.
            viewer: request.viewer as Viewer,
            params: (named ? request.params : endpoint.params?.parse({})) as never,
            query: request.query as never,
            body: request.body as never,
            from: {
              address: callerAddress(request),
              agent: request.headers['user-agent'] ?? '',
              origin: options.publicUrl ?? `${request.protocol}://${request.host}`,
            },
            signal: disconnectSignal(request, reply),
            setSession: (token) => setSession(reply, token, options.publicUrl),
          }),
        )
      },
    })
  }
}

const withEveryPath = (route: Route) =>
  [route.endpoint.path, ...(route.endpoint.also ?? [])].flatMap(spellingsOf).map((path) => ({ ...route, path }))

function disconnectSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) disconnected.abort()
  })
  if (request.raw.destroyed && !request.raw.complete) disconnected.abort()
  return disconnected.signal
}

function setSession(reply: FastifyReply, token: string | null, publicUrl: string | undefined): void {
  const cookie = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax' as const,
    secure: publicUrl?.startsWith('https:') ?? false,
  }
  if (token === null) reply.clearCookie(SESSION_COOKIE, cookie)
  else reply.setCookie(SESSION_COOKIE, token, { ...cookie, maxAge: SESSION_SECONDS })
}
