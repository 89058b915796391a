import { pipeline } from 'node:stream'
import type { Kysely } from 'kysely'
import { MALFORMED_PATH } from '#contract/custom-crowd.ts'
import { phoneMasking } from '../../files/mask-phones.ts'
import { fastifyPath, guard, spellingsOf } from '../../http/mount.ts'
import { downloadNameFor } from '../../http/phones-in-answers.ts'
import type { FastifyInstance } from '../../http/plain-route.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import type { CustomCrowdService } from './service.ts'

interface Deps {
  db: Kysely<Database>
  publicUrl: string | undefined
  crowds: CustomCrowdService
}

/** Downloads a file's malformed lines; not a JSON call. */
export function mountMalformedLines(app: FastifyInstance, { db, publicUrl, crowds }: Deps): void {
  const allow = guard(db, publicUrl)
  for (const url of spellingsOf(fastifyPath(MALFORMED_PATH))) {
    app.route({
      method: 'GET',
      url,
      schema: { hide: true },
      onRequest: allow('viewer', { changes: false }),
      handler: async (request, reply) => {
        const { id } = request.params as { id: string }
        const viewer = request.viewer as Viewer
        const { bytes, file_name, hidesPhones } = await crowds.malformed(viewer, id)
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
}
