import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { fingerprint } from '../config/secrets.ts'
import { AppError } from '../errors.ts'
import { bearerOf } from './viewer.ts'

/** A store that does not answer within this counts as not ready: it may hang or be unreachable. */
const READY_WITHIN_MS = 5000

export interface HealthOptions {
  isReady(): Promise<void>
  /** The bearer token with which another machine reads the metrics. */
  metricsToken: string | undefined
  publicUrl: string | undefined
}

/** `/healthz`: the process answers. `/readyz`: its stores do too. `/metrics`: Prometheus, for those who may read it. */
export function mountHealth(app: FastifyInstance, { isReady, metricsToken, publicUrl }: HealthOptions): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'renqun_http_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.get('/healthz', { schema: { hide: true } }, async () => ({ ok: true }))
  app.get('/readyz', { schema: { hide: true } }, async (_, reply) => {
    try {
      await Promise.race([isReady(), pause(READY_WITHIN_MS, undefined, { ref: false }).then(() => Promise.reject())])
      return { ok: true }
    } catch {
      return reply.code(503).send({ ok: false })
    }
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayReadMetrics(request, metricsToken, publicUrl)) throw new AppError('metricsClosed')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/**
 * Callers on this machine may read the metrics, others need the token. Behind a proxy every call seems local, so all
 * need it.
 */
export function mayReadMetrics(
  request: Pick<FastifyRequest, 'headers' | 'socket'>,
  token: string | undefined,
  publicUrl: string | undefined,
): boolean {
  const given = bearerOf(request)
  // Compares hashes, so that the time taken reveals nothing about the token.
  if (given) return token !== undefined && fingerprint(given) === fingerprint(token)
  const { headers, socket } = request
  if (publicUrl !== undefined || headers.forwarded || headers['x-forwarded-for']) return false
  return /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '')
}
