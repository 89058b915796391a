import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import { FAULTS } from '#contract/errors.ts'
import { LINK_USER_DOWNLOAD_PATH, LinkUserDownload } from '#contract/link-user.ts'
import { outcome } from '#contract/outcome.ts'
import { AppError } from '../../errors.ts'
import { fastifyPath, guard } from '../../http/mount.ts'
import type { FastifyInstance } from '../../http/plain-route.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import type { LinkUserService } from './service.ts'

interface Deps {
  db: Kysely<Database>
  publicUrl: string | undefined
  users: LinkUserService
}

/** Downloads the list of people or one person's events; not a JSON call. */
export function mountLinkUserExport(app: FastifyInstance, { db, publicUrl, users }: Deps): void {
  const allow = guard(db, publicUrl)
  app.route({
    method: 'GET',
    url: fastifyPath(LINK_USER_DOWNLOAD_PATH),
    schema: { hide: true },
    onRequest: allow('viewer', { changes: false }),
    handler: async (request, reply) => {
      const read = LinkUserDownload.safeParse(request.query)
      if (!read.success) {
        const text = read.error.issues[0]?.message || FAULTS.unreadable.msg
        throw new AppError('badInput', { reason: outcome('input_refused', { text }) })
      }
      const { name, lines } = await users.export(request.viewer as Viewer, read.data)
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
