import type { Kysely } from 'kysely'
import { z } from 'zod'
import { CALLBACK_PATH } from '#contract/authorisation.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { guard } from '../../http/mount.ts'
import type { FastifyInstance } from '../../http/plain-route.ts'
import type { Database } from '../../postgres/schema.ts'
import type { AuthoriseService } from './authorise.ts'

const Text = z.string().max(2000).optional().catch(undefined)
const Query = z.object({ state: Text, authorization_code: Text, auth_code: Text })
const CODE_PARAMETERS = { social: 'authorization_code', video: 'auth_code' } as const
const Params = z.object({ platform: z.enum(['social', 'video']) })

/**
 * Where a platform's OAuth page sends the browser: no call of the contract. It changes something though it comes from
 * another site by GET; its `state`, made for this viewer and good once, stands in for the check of the origin.
 */
export function mountOauthCallback(
  app: FastifyInstance,
  { db, authorise }: { db: Kysely<Database>; authorise: AuthoriseService },
): void {
  app.route({
    method: 'GET',
    url: `${CALLBACK_PATH}/:platform`,
    schema: { hide: true },
    onRequest: guard(db, undefined)('public', false),
    handler: async (request, reply) => {
      const params = Params.safeParse(request.params)
      if (!params.success) return reply.callNotFound()
      const query = Query.parse(request.query)
      const { platform } = params.data
      const code = query[CODE_PARAMETERS[platform]]
      const answer = { platform: PLATFORMS[platform].code, state: query.state, code }
      const next = await authorise.answered(request.viewer, answer)
      // The code and the state stay in nobody's history or log of where people came from.
      return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(next, 303)
    },
  })
}
