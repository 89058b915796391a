import type { Kysely } from 'kysely'
import { z } from 'zod'
import { CALLBACK_PATH } from '#contract/authorisation.ts'
import { keysOf } from '#contract/common.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { guard } from '../../http/mount.ts'
import type { FastifyInstance } from '../../http/plain-route.ts'
import type { Database } from '../../postgres/schema.ts'
import type { AuthoriseService } from './authorise.ts'

const Text = z.string().max(2000).optional().catch(undefined)
const Query = z.record(z.string(), Text)
const Params = z.object({ platform: z.enum(keysOf(PLATFORMS)) })

/**
 * The address to which a platform's OAuth page sends the browser; not a call of the contract. It is a GET from another
 * site that changes data; `state`, made for this viewer and valid once, replaces the check of the origin.
 */
export function mountOauthCallback(
  app: FastifyInstance,
  { db, authorise }: { db: Kysely<Database>; authorise: AuthoriseService },
): void {
  app.route({
    method: 'GET',
    url: `${CALLBACK_PATH}/:platform`,
    schema: { hide: true },
    onRequest: guard(db, undefined)('public', { changes: false }),
    handler: async (request, reply) => {
      const params = Params.safeParse(request.params)
      if (!params.success) return reply.callNotFound()
      const query = Query.parse(request.query)
      const { code: platform, codeParameter } = PLATFORMS[params.data.platform]
      const answer = { platform, state: query.state, code: query[codeParameter] }
      const next = await authorise.answered(request.viewer, answer)
      // Keeps the code and the state out of caches and Referer headers.
      return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(next, 303)
    },
  })
}
