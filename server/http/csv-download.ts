import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { FAULTS } from '#contract/errors.ts'
import { outcome } from '#contract/outcome.ts'
import { AppError } from '../errors.ts'
import type { Database } from '../postgres/schema.ts'
import { fastifyPath, guard, spellingsOf } from './mount.ts'
import type { FastifyInstance } from './plain-route.ts'
import type { Viewer } from './viewer.ts'

/** A file that is written while it is sent. */
export interface CsvFile {
  name: string
  lines: AsyncIterable<string>
}

/**
 * Serves a csv at a path; not a JSON call, but a failure before the first line answers as one does. The path's parameters
 * are read together with the query.
 */
export function mountCsvDownload<Q extends z.ZodType>(
  app: FastifyInstance,
  { db, publicUrl }: { db: Kysely<Database>; publicUrl: string | undefined },
  path: `/${string}`,
  query: Q,
  fileFor: (viewer: Viewer, query: z.output<Q>) => Promise<CsvFile>,
): void {
  const allow = guard(db, publicUrl)
  for (const url of spellingsOf(fastifyPath(path))) {
    app.route({
      method: 'GET',
      url,
      schema: { hide: true },
      onRequest: allow('viewer', { changes: false }),
      handler: async (request, reply) => {
        const read = query.safeParse({ ...(request.query as object), ...(request.params as object) })
        if (!read.success) {
          const text = read.error.issues[0]?.message || FAULTS.unreadable.msg
          throw new AppError('badInput', { reason: outcome('input_refused', { text }) })
        }
        const { name, lines } = await fileFor(request.viewer as Viewer, read.data)
        return (
          reply
            .header('content-type', 'text/csv; charset=utf-8')
            .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
            // After the headers are sent a read error can only end the reply.
            .send(Readable.from(lines))
        )
      },
    })
  }
}
