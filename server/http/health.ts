import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** `/healthz`: the process answers. `/readyz`: its stores do too. `/metrics`: Prometheus. */
export function mountHealth(app: FastifyInstance, isReady: () => Promise<void>): void {
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
      await isReady()
      return { ok: true }
    } catch {
      return reply.code(503).send({ ok: false })
    }
  })
  app.get('/metrics', { schema: { hide: true } }, async (_, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
