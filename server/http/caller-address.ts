import type { FastifyRequest } from 'fastify'

/** The caller's address; unknown if the connection was reset before it was read. */
export const callerAddress = ({ ip }: { ip: FastifyRequest['ip'] | undefined }): string => ip ?? ''
