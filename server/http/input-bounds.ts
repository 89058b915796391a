import type { FastifyInstance } from 'fastify'
import { unstorable } from '#contract/storable.ts'
import { AppError } from '../errors.ts'

/** Refuses what no store can hold and bodies that are nested too deeply, before a schema or a handler reads them. */
export function refuseUnstorableInput(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ params, query, body }) => {
    for (const input of [params, query, body]) {
      const reason = unstorable(input)
      if (reason) throw new AppError('badInput', { reason })
    }
  })
}
