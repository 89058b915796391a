import { existsSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import fastifyStatic from '@fastify/static'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance, type FastifySerializerCompiler } from 'fastify'
import { ResponseSerializationError, validatorCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { PAGE_SCRIPT_PATH } from '#contract/tracking-snippets.ts'
import { addressMatcher, LOOPBACK } from '../config/address-list.ts'
import { AppError } from '../errors.ts'
import { type BrokenField, encodeAnswer } from './answer.ts'
import { apiDocument } from './api-document.ts'
import { addressGroup, callerAddress, warnAboutForwards, withoutPort } from './caller-address.ts'
import { compressAnswers } from './compression.ts'
import { failure, mountErrors } from './envelope.ts'
import { refuseUnstorableInput } from './input-bounds.ts'
import { refuseForeignHosts } from './own-host.ts'
import { keepPrivateAnswers } from './private-answers.ts'
import { routePath } from './route-path.ts'
import { endStalledBodies } from './stalled-bodies.ts'
import { answerBadUrl, answerUnreadable } from './unreadable-requests.ts'

export interface ServerOptions {
  /** Other origins that may show the console in a frame. */
  embedOrigins: readonly string[]
  /** The built web app; without it only the API is served. */
  webRoot: string | undefined
  /** The HOST setting. */
  host: string
  /** Set behind a proxy; a caller's address is then the one that a trusted proxy reports. */
  publicUrl: string | undefined
  /** Addresses and CIDRs of the proxies whose X-Forwarded-For counts; this machine alone if left out. */
  trustedProxies?: readonly string[]
  /** Where browsers send files, if not to the console. */
  objectStoreUrl?: string | undefined
  logLevel?: string
  /** Where log lines go; standard output if left out. */
  logTo?: { write(line: string): void }
  /** Calls per minute from one address. */
  callsPerMinute?: number
  /** A body that stops arriving for this long, in milliseconds, ends its request. */
  bodyStallMs?: number
  /** Called with rows that broke the schema of their answer, before it is sent; an error thrown here fails the call. */
  onBrokenAnswer?(broken: BrokenAnswer): void
}

/** A list with rows that broke its schema; it was sent with what is readable. */
export interface BrokenAnswer {
  method: string
  url: string
  fields: readonly BrokenField[]
}

/** The log message for it. */
export const BROKEN_ANSWER = 'rows of an answer broke its schema'
/** At most this many fields of an answer are named in the log. */
const LOGGED_FIELDS_MAX = 20

const BODY_MAX = 2 * 1024 * 1024
const CALLS_PER_MINUTE = 3000
const BODY_STALL_MS = 60_000

/** The API page is Swagger's, which sets styles on its elements while it runs. */
const DOCS_POLICY =
  "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'self'; " +
  "img-src 'self' data:; font-src 'self' data:; script-src 'self'; style-src 'self' 'unsafe-inline'"

/** Fastify with contract schemas, security headers, limits, the API document and the web app. */
export async function openServer(options: ServerOptions): Promise<FastifyInstance> {
  const isInRange = addressMatcher(options.trustedProxies ?? LOOPBACK)
  const isTrusted = (address: string) => isInRange(withoutPort(address))
  const app = Fastify({
    logger: {
      level: options.logLevel ?? 'warn',
      ...(options.logTo ? { stream: options.logTo } : {}),
      redact: ['req.headers.authorization', 'req.headers.cookie', 'res.headers["set-cookie"]'],
    },
    bodyLimit: BODY_MAX,
    // Behind a proxy the caller's address is in a header: without it all callers would share the proxy's address. From
    // anyone else the header is ignored, since a caller could write any address into it.
    trustProxy: options.publicUrl === undefined ? false : isTrusted,
    routerOptions: { maxParamLength: 300 },
    // A stop waits for calls in flight, not for idle connections of browsers.
    forceCloseConnections: 'idle',
    frameworkErrors: answerBadUrl,
    clientErrorHandler: answerUnreadable,
  })
  const logBroken = (broken: BrokenAnswer) => {
    options.onBrokenAnswer?.(broken)
    const { fields, ...route } = broken
    app.log.error({ ...route, broken: fields.length, fields: fields.slice(0, LOGGED_FIELDS_MAX) }, BROKEN_ANSWER)
  }
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler<z.ZodType>((route) => serializer(route, logBroken))
  app.decorateRequest('viewer', null)
  app.decorateRequest('givenBody', null)
  mountErrors(app)
  keepPrivateAnswers(app)
  endStalledBodies(app, options.bodyStallMs ?? BODY_STALL_MS)
  refuseUnstorableInput(app)
  refuseForeignHosts(app, options)
  warnAboutForwards(app, { publicUrl: options.publicUrl, isTrusted })

  await app.register(cookie)
  await compressAnswers(app)
  await app.register(helmet, {
    // Plain HTTP on loopback is the default deployment; a proxy that speaks TLS adds its own.
    hsts: false,
    crossOriginOpenerPolicy: { policy: options.embedOrigins.length > 0 ? 'unsafe-none' : 'same-origin' },
    frameguard: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        formAction: ["'self'"],
        // The worker that hashes files in the browser makes its WebAssembly module itself.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        // antd adds its styles to the page inline.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...(options.objectStoreUrl ? [new URL(options.objectStoreUrl).origin] : [])],
        workerSrc: ["'self'", 'blob:'],
        frameAncestors: [
          "'self'",
          ({ url }: IncomingMessage) => (isEmbedPage(url ?? '') ? options.embedOrigins.join(' ') : ''),
        ],
      },
    },
  })
  await app.register(rateLimit, {
    max: options.callsPerMinute ?? CALLS_PER_MINUTE,
    timeWindow: '1 minute',
    keyGenerator: (request) => addressGroup(callerAddress(request)),
    allowList: (request) => !/^\/(api|v1)(\/|$)/.test(routePath(request)),
    errorResponseBuilder: () => new AppError('tooMany'),
  })
  await app.register(swagger, apiDocument)
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: DOCS_POLICY,
    uiConfig: { docExpansion: 'list', deepLinking: true, displayRequestDuration: true },
    theme: {
      title: '人群 Renqun 接口文档',
      css: [{ filename: 'renqun.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  })
  await mountWeb(app, options.webRoot)
  return app
}

/** Only rows of lists, which are read by GET, are repaired. Answers of other calls stay strict. */
function serializer(
  { schema, method, url }: Parameters<FastifySerializerCompiler<z.ZodType>>[0],
  report: (broken: BrokenAnswer) => void,
) {
  return (answer: unknown): string => {
    const encoded = encodeAnswer(schema, answer, { repairsRows: method === 'GET' })
    if (!encoded.ok) throw new ResponseSerializationError(method, url, { cause: encoded.error })
    if (encoded.broken.length > 0) report({ method, url, fields: encoded.broken })
    return JSON.stringify(encoded.data)
  }
}

/** The pages that a frame of another site opens, or reloads: it signs in, and the page that its token named follows. */
const isEmbedPage = (url: string) =>
  /^\/(embed|cowd-manage\/cowd-assets\/(edit|watch)\/\d+|campaign-manage\/work-bench)\/?([?#]|$)/.test(url)

async function mountWeb(app: FastifyInstance, webRoot: string | undefined): Promise<void> {
  const built = webRoot !== undefined && existsSync(join(webRoot, 'index.html'))
  if (built) {
    await app.register(fastifyStatic, {
      root: webRoot,
      wildcard: false,
      index: false,
      preCompressed: true,
      // Their names contain a hash of their content.
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
        // Pages of other sites load this one script.
        if (path.startsWith(join(webRoot, PAGE_SCRIPT_PATH)))
          reply.header('cross-origin-resource-policy', 'cross-origin')
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    // Pages are recognised by the Accept header. A oneID in the path may contain a dot, so file endings say nothing.
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
    const isPage = wantsPage && !/^\/(api|v1|assets)(\/|$|\?)/.test(request.url)
    if (built && isPage) return reply.header('cache-control', 'no-cache').sendFile('index.html')
    return reply.code(404).send(failure(new AppError('noSuchCall')))
  })
}
