import type {} from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { keysOf } from '#contract/common.ts'
import { FRAMED_PAGES, type FramedPage } from '#contract/embed.ts'
import { EMBEDDED_CALLS, isAboutFramed } from '#contract/embedded-calls.ts'
import { changesSomething, type Endpoint } from '#contract/endpoint.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import { AppError } from '../errors.ts'
import type { Database } from '../postgres/schema.ts'
import { now } from '../time/clock.ts'
import { callerAddress } from './caller-address.ts'
import { BROWSER_COOKIE, BROWSER_SECONDS, SESSION_COOKIE, SESSION_SECONDS, setCookie } from './cookies.ts'
import { envelopeOf, Failure, ok } from './envelope.ts'
import { isSameOrigin } from './origin.ts'
import { answerFor } from './phones-in-answers.ts'
import { answerOnce } from './repeated-answers.ts'
import type { Route } from './serve.ts'
import { unknownKeys } from './unknown-keys.ts'
import { bearerOf, EMBED_PREFIX, forChanges, type Viewer, viewerOf } from './viewer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | null
    /** The body as it came, before its schema dropped what it does not know. */
    givenBody: unknown
  }
}

/** Everything under /api/v1 is also served under /v1. */
export const spellingsOf = (path: string): string[] =>
  path.startsWith('/api/v1/') ? [path, path.slice('/api'.length)] : [path]

/** A path of the contract in Fastify's spelling: `/api/people/:id`. */
export const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** What a guard must know of a route. */
interface Guarded {
  changes: boolean
  /** Members who may only look may make it, though it changes something or is no GET. */
  readers?: boolean | undefined
  /** The pages in frames of other sites that may make it. */
  framed?: readonly FramedPage[] | undefined
}

/** Refuses a changing call that came neither from our page nor with a bearer token, then a caller without the right. */
export function guard(db: Kysely<Database>, publicUrl: string | undefined) {
  return (access: Endpoint['access'], { changes, readers = !changes, framed = [] }: Guarded) =>
    async (request: FastifyRequest): Promise<void> => {
      if (changes && !bearerOf(request) && !isSameOrigin(request, publicUrl)) throw new AppError('foreignOrigin')
      const viewer = await viewerOf(db, request)
      if (viewer?.framed && !framed.includes(viewer.framed.page)) throw new AppError('embeddedCannot')
      request.viewer = viewer && !readers ? forChanges(viewer) : viewer
      if (access === 'public') return
      if (!request.viewer) throw new AppError(hasApiToken(request) ? 'tokenInvalid' : 'signedOut')
      if (access === 'admin' && !request.viewer.is_admin) throw new AppError('forbidden')
    }
}

/** Frames of other sites send their session as a bearer token too; such a session may end like any other. */
const hasApiToken = (request: FastifyRequest) => bearerOf(request)?.startsWith(EMBED_PREFIX) === false

/** How many unknown keys a refusal names, and how much of each. */
const KEYS_NAMED_MAX = 10
const KEY_SHOWN_MAX = 100

/** Refuses a body with keys that the call does not know; dropping them would hide a misspelling. */
function refuseUnknownKeys(endpoint: Endpoint, body: unknown): void {
  const unknown = unknownKeys(endpoint.body ?? NO_BODY, body)
  if (unknown.length === 0) return
  const keys = unknown.slice(0, KEYS_NAMED_MAX).map((key) => key.slice(0, KEY_SHOWN_MAX))
  const reason = outcome('input_unknown_keys', { keys })
  throw new AppError('badInput', { reason }, { issues: keys.map((path) => ({ path, message: sentenceOf(reason) })) })
}
const NO_BODY = z.object({})

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
      url: fastifyPath(path),
      schema: {
        summary: endpoint.summary,
        tags: [endpoint.group],
        ...(endpoint.access === 'public' ? { security: [] } : {}),
        ...(endpoint.params && named ? { params: endpoint.params } : {}),
        ...(endpoint.query ? { querystring: endpoint.query } : {}),
        ...(endpoint.body ? { body: endpoint.body } : {}),
        response: { 200: envelopeOf(endpoint.data), '4xx': Failure, '5xx': Failure },
      },
      ...(endpoint.holdsSecret ? { compress: false } : {}),
      ...(endpoint.isRepeated ? { onSend: answerOnce } : {}),
      onRequest: allow(endpoint.access, {
        changes: changesSomething(endpoint),
        readers: endpoint.readers,
        framed: keysOf(FRAMED_PAGES).filter((page) => EMBEDDED_CALLS[page].has(endpoint)),
      }),
      // A call may omit its body if every field has a default.
      preValidation: async (request) => {
        if (endpoint.body) request.body ??= {}
        request.givenBody = request.body
      },
      preHandler: async (request) => refuseUnknownKeys(endpoint, request.givenBody),
      handler: async (request, reply) => {
        const cookie = request.cookies[SESSION_COOKIE]
        const set = (name: string, value: string | null, seconds: number) =>
          setCookie(reply, options.publicUrl, name, value, seconds)
        // Set before the call, since the call may end the session or start another.
        const until = request.viewer?.renewed_until
        if (until !== undefined && cookie) set(SESSION_COOKIE, cookie, until - now())
        const given = {
          params: named ? request.params : endpoint.params?.parse({}),
          query: request.query,
          body: request.body,
        }
        const framed = request.viewer?.framed
        if (framed && !isAboutFramed(endpoint, given, framed.id)) throw new AppError('embeddedCannot')
        const answer = await handle({
          // `allow` has refused callers without a viewer if the endpoint needs one.
          viewer: request.viewer as Viewer,
          params: given.params as never,
          query: given.query as never,
          body: given.body as never,
          from: {
            address: callerAddress(request),
            agent: request.headers['user-agent'] ?? '',
            browser: request.cookies[BROWSER_COOKIE] ?? null,
            origin: options.publicUrl ?? `${request.protocol}://${request.host}`,
          },
          signal: disconnectSignal(request, reply),
          setSession: (token) => set(SESSION_COOKIE, token, SESSION_SECONDS),
          setBrowser: (value) => set(BROWSER_COOKIE, value, BROWSER_SECONDS),
        })
        return ok(answerFor(request.viewer, endpoint, answer))
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
