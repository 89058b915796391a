import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { FAULTS } from '#contract/errors.ts'
import { outcome } from '#contract/outcome.ts'
import { AppError } from '../errors.ts'
import type { Database } from '../postgres/schema.ts'
import { fastifyPath, guard, spellingsOf } from './mount.ts'
import { downloadNameFor } from './phones-in-answers.ts'
import type { FastifyInstance } from './plain-route.ts'
import type { Viewer } from './viewer.ts'

/** A file that is written while it is sent. */
export interface SentFile {
  /** With its extension, which says what it is. */
  name: string
  content: AsyncIterable<string | Uint8Array>
}

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
const typeOf = (name: string) => (name.endsWith('.xlsx') ? TYPES.xlsx : TYPES.csv)

/** Where callers are found, and the address that they use. */
export interface Callers {
  db: Kysely<Database>
  publicUrl: string | undefined
}

/** Serves a file at a path to those who may have it. */
export type DownloadOf = <Q extends z.ZodType>(
  path: `/${string}`,
  query: Q,
  fileFor: (viewer: Viewer, query: z.output<Q>) => Promise<SentFile>,
) => void

/**
 * Serves a file at a path; not a JSON call, but a failure before the first byte answers as one does. The path's parameters
 * are read together with the query.
 */
export function mountDownload<Q extends z.ZodType>(
  app: FastifyInstance,
  { db, publicUrl }: Callers,
  path: `/${string}`,
  query: Q,
  fileFor: (viewer: Viewer, query: z.output<Q>) => Promise<SentFile>,
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
        const viewer = request.viewer as Viewer
        const { name, content } = await fileFor(viewer, read.data)
        return (
          reply
            .header('content-type', typeOf(name))
            .header('content-disposition', `attachment; filename*=UTF-8''${downloadNameFor(viewer, name)}`)
            // After the headers are sent a read error can only end the reply.
            .send(Readable.from(content))
        )
      },
    })
  }
}
