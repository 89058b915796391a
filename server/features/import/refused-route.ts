import { pipeline } from 'node:stream'
import type { Kysely } from 'kysely'
import { phoneMasking } from '../../files/mask-phones.ts'
import { guard } from '../../http/mount.ts'
import type { FastifyInstance } from '../../http/plain-route.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import type { ImportService } from './service.ts'

interface Deps {
  db: Kysely<Database>
  publicUrl: string | undefined
  imports: ImportService
}

const REFUSED_URL = '/api/import/:id/refused'

/** Downloads an import's refused rows; not a JSON call. */
export function mountRefusedRows(app: FastifyInstance, { db, publicUrl, imports }: Deps): void {
  const allow = guard(db, publicUrl)
  app.route({
    method: 'GET',
    url: REFUSED_URL,
    schema: { hide: true },
    onRequest: allow('viewer', false),
    handler: async (request, reply) => {
      const { id } = request.params as { id: string }
      const { bytes, file_name, hidesPhones } = await imports.refusedFile(request.viewer as Viewer, Number(id))
      return (
        reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file_name)}`)
          // After the headers are sent a read error can only end the reply.
          .send(hidesPhones ? pipeline(bytes, phoneMasking(), () => {}) : bytes)
      )
    },
  })
}
