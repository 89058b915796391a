/** For routes outside the contract: uploads and downloads. */
export type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
