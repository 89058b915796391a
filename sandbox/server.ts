import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { type Clock, openClock } from './clock.ts'
import { mountControl } from './control.ts'
import { openDatabase } from './database.ts'
import { faultsOf } from './faults.ts'
import { type Json, parseJson, writeJson } from './json.ts'
import { callLog } from './log.ts'
import { peopleOf } from './people.ts'
import { PLATFORM_NAMES, type PlatformName } from './platforms.ts'
import { processing } from './processing.ts'
import { socialPlatform } from './social/platform.ts'
import { switchBoard } from './switches.ts'
import { tokensOf } from './tokens.ts'
import { videoPlatform } from './video/platform.ts'
import type { Answer, Call, StandIn } from './wire.ts'

/** Above both platforms' largest upload, so that each refuses larger ones with its own message. */
const BODY_LIMIT = 128 * 2 ** 20

export interface SandboxOptions {
  /** 0: any free port, if possible the same as last time. */
  port: number
  /** The directory of its state. */
  dir: string
  /** Returns the machine's time, in seconds. */
  clock?: Clock['wall']
}

export interface Sandbox {
  url: string
  /** What calls under /sandbox must carry: as `key` in the query, or as the header CONTROL_HEADER. */
  key: string
  /** The values for PLATFORM_SOCIAL_URL and PLATFORM_VIDEO_URL. */
  socialUrl: string
  videoUrl: string
  close(): Promise<void>
}

/** Faults that answer with the rows of another page, and how far it is from the one asked for. */
const PAGE_SHIFTS: Readonly<Record<string, number>> = { repeat_page: -1, lose_page: 1 }

/** The answer to a call with the rows of another page, which claims to be the page that was asked for. */
function otherPage(platform: StandIn, call: Call, shift: number): Answer {
  const page = Number(call.query.get('page') ?? 1)
  const query = new URLSearchParams(call.query)
  query.set('page', String(Math.max(1, page + shift)))
  const answer = platform.answer({ ...call, query })
  const body = parseJson(answer.body) as { data?: { page_info?: { [name: string]: Json } } }
  if (body.data?.page_info) body.data.page_info.page = page
  return { ...answer, body: writeJson(body) }
}

/** Stand-ins for the ad platforms on one port, with state that survives a restart. */
export async function startSandbox({ port, dir, clock: wall }: SandboxOptions): Promise<Sandbox> {
  const db = openDatabase(dir)
  const clock = openClock(db, wall)
  const switches = switchBoard(db)
  const people = peopleOf(db)
  const tokens = tokensOf(db, clock, switches)
  const parts = { db, clock, switches, people, tokens }
  const faults = faultsOf(switches)
  const log = callLog(db, clock)
  const work = processing(parts)
  const platforms: Record<PlatformName, StandIn> = { social: socialPlatform(parts), video: videoPlatform(parts) }

  const app = Fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true, routerOptions: { maxParamLength: 500 } })
  app.addHook('onRequest', async (_, reply) => {
    reply.header('x-frame-options', 'DENY').header('content-security-policy', "frame-ancestors 'none'")
  })
  // It listens only on loopback, so any other name is that of another site pointed here (DNS rebinding).
  app.addHook('onRequest', async (request, reply) => {
    if (!isLoopback(request.headers.host)) return reply.code(403).type('text/plain').send('not a host of this sandbox')
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))

  async function serve(name: PlatformName, request: FastifyRequest, reply: FastifyReply) {
    const call = callOf(request, `/${name}`)
    const platform = platforms[name]
    const fault = faults.of(name, call)
    const isCarried = fault === null || /_after$|^slow$|_page$/.test(fault.kind)
    const shift = PAGE_SHIFTS[fault?.kind ?? '']
    const answer = isCarried ? (shift ? otherPage(platform, call, shift) : platform.answer(call)) : null
    if (isCarried) work.wake()
    const refusal =
      fault?.kind === 'throttle'
        ? platform.throttled(fault.code)
        : fault?.kind === 'busy'
          ? platform.busy(fault.code)
          : null
    log.write(name, call, { answer: answer ?? refusal, fault: fault?.kind ?? null, isCarried })
    if (!fault || shift) return send(reply, answer as Answer)
    if (fault.kind === 'slow') {
      await sleep(fault.seconds * 1000, undefined, { ref: false })
      return send(reply, answer as Answer)
    }
    if (refusal) return send(reply, refusal)
    if (fault.kind === 'error' || fault.kind === 'error_after') {
      return reply.code(fault.status).type('text/html').send(`<html><body><h1>${fault.status}</h1></body></html>`)
    }
    reply.hijack()
    if (fault.kind.startsWith('timeout')) {
      const timer = setTimeout(() => request.raw.socket.destroy(), fault.seconds * 1000)
      timer.unref()
      reply.raw.once('close', () => clearTimeout(timer))
      return
    }
    request.raw.socket.destroy()
  }

  for (const name of PLATFORM_NAMES) {
    app.all(`/${name}/*`, (request, reply) => serve(name, request, reply))
  }
  const key = controlKey(db)
  mountControl(app, { parts, faults, log, work }, key)

  await listen(app, port, Number(db.kept('port') ?? 0))
  const address = app.server.address()
  const taken = typeof address === 'object' && address ? address.port : port
  db.keep('port', String(taken))
  const url = `http://127.0.0.1:${taken}`
  return {
    url,
    key,
    socialUrl: `${url}/social`,
    videoUrl: `${url}/video`,
    async close() {
      await app.close()
      await work.close()
      db.close()
    },
  }
}

/** Made at the first start and kept with the state, so that a link to the page survives a restart. */
function controlKey(db: ReturnType<typeof openDatabase>): string {
  const key = db.kept('control key') ?? randomBytes(24).toString('base64url')
  db.keep('control key', key)
  return key
}

async function listen(app: ReturnType<typeof Fastify>, port: number, last: number) {
  const host = '127.0.0.1'
  if (port !== 0 || last === 0) {
    await app.listen({ port, host })
    return
  }
  // A killed process may hold the port for a moment.
  for (let attempt = 0; attempt < 10; attempt++) {
    try {
      await app.listen({ port: last, host })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  await app.listen({ port: 0, host })
}

/** A Host header that names this machine: `localhost`, 127.0.0.0/8 or `[::1]`, with or without a port. */
const isLoopback = (host: string | undefined) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host ?? '')

function callOf(request: FastifyRequest, prefix: string): Call {
  const [path = '', query = ''] = request.raw.url?.split(/\?(.*)/s) ?? []
  return {
    method: request.method,
    path: path.slice(prefix.length),
    query: new URLSearchParams(query),
    headers: request.headers,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  }
}

function send(reply: FastifyReply, { status, headers, body }: Answer) {
  return reply.code(status).headers(headers).send(body)
}
