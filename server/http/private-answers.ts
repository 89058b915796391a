import type { FastifyInstance } from 'fastify'
import { routePath } from './route-path.ts'

/** Keeps answers of calls out of every cache, since they are one viewer's. A route may set another rule itself. */
export function keepPrivateAnswers(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isCall(routePath(request))) reply.header('cache-control', 'no-store')
  })
}

const isCall = (url: string) => /^\/(api|v1)(\/|$|\?)/.test(url) && !/^\/api\/docs(\/|$|\?)/.test(url)
