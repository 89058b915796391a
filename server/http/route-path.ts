import type { FastifyRequest } from 'fastify'

/**
 * The path of the route that serves a request, or the address as it came where no route does. The router decodes an
 * address, so `/%61pi/viewer` is served as `/api/viewer`: whether a rule applies is decided by the route.
 */
export const routePath = ({ routeOptions, url }: FastifyRequest): string => routeOptions.url ?? url
