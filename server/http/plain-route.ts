/** For routes that are no call of the contract: uploads and downloads. */
export type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
