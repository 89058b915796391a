import type { FastifyRequest } from 'fastify'

/** Where a call comes from; one whose connection was reset before it was read comes from nowhere any more. */
export const callerAddress = ({ ip }: { ip: FastifyRequest['ip'] | undefined }): string => ip ?? ''
