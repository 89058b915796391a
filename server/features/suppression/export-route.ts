import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import { FAULTS } from '#contract/errors.ts'
import { outcome } from '#contract/outcome.ts'
import { SUPPRESSION_EXPORT_PATH, SuppressionExportQuery } from '#contract/suppression.ts'
import { AppError } from '../../errors.ts'
import { fastifyPath, guard } from '../../http/mount.ts'
import type { FastifyInstance } from '../../http/plain-route.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import type { SuppressionService } from './service.ts'

interface Deps {
  db: Kysely<Database>
  publicUrl: string | undefined
  suppression: SuppressionService
}

/** Downloads the suppression list; not a JSON call. */
export function mountSuppressionExport(app: FastifyInstance, { db, publicUrl, suppression }: Deps): void {
  const allow = guard(db, publicUrl)
  app.route({
    method: 'GET',
    url: fastifyPath(SUPPRESSION_EXPORT_PATH),
    schema: { hide: true },
    onRequest: allow('viewer', { changes: false }),
    handler: async (request, reply) => {
      const read = SuppressionExportQuery.safeParse(request.query)
      if (!read.success) {
        const text = read.error.issues[0]?.message || FAULTS.unreadable.msg
        throw new AppError('badInput', { reason: outcome('input_refused', { text }) })
      }
      const { adv_id, ...filter } = read.data
      const lines = await suppression.export(request.viewer as Viewer, adv_id, filter)
      return (
        reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent('屏蔽名单.csv')}`)
          // After the headers are sent a read error can only end the reply.
          .send(Readable.from(lines))
      )
    },
  })
}
