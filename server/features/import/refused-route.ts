import { pipeline } from 'node:stream'
import type { Kysely } from 'kysely'
import { REFUSED_PATH } from '#contract/import.ts'
import { phoneMasking } from '../../files/mask-phones.ts'
import { fastifyPath, guard } from '../../http/mount.ts'
import { downloadNameFor } from '../../http/phones-in-answers.ts'
import type { FastifyInstance } from '../../http/plain-route.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import type { ImportService } from './service.ts'

interface Deps {
  db: Kysely<Database>
  publicUrl: string | undefined
  imports: ImportService
}

/** Downloads an import's refused rows; not a JSON call. */
export function mountRefusedRows(app: FastifyInstance, { db, publicUrl, imports }: Deps): void {
  const allow = guard(db, publicUrl)
  app.route({
    method: 'GET',
    url: fastifyPath(REFUSED_PATH),
    schema: { hide: true },
    onRequest: allow('viewer', { changes: false }),
    handler: async (request, reply) => {
      const { id } = request.params as { id: string }
      const viewer = request.viewer as Viewer
      const { bytes, file_name, hidesPhones } = await imports.refusedFile(viewer, Number(id))
      return (
        reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename*=UTF-8''${downloadNameFor(viewer, file_name)}`)
          // After the headers are sent a read error can only end the reply.
          .send(hidesPhones ? pipeline(bytes, phoneMasking(), () => {}) : bytes)
      )
    },
  })
}
