import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { type createEmbedToken, EMBED_SESSION_SECONDS, EMBED_TOKEN_SECONDS } from '#contract/embed.ts'
import { outcome } from '#contract/outcome.ts'
import { fingerprint } from '../../config/secrets.ts'
import { AppError } from '../../errors.ts'
import { EMBED_PREFIX, type Framed, loadViewer, startSession, type Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'

interface Deps {
  db: Kysely<Database>
  embedOrigins: readonly string[]
  publicUrl: string | undefined
}

const framedOf = ({ crowd_id = 0, campaign_id }: z.output<typeof createEmbedToken.body>): Framed =>
  campaign_id === undefined ? { page: 'crowd', id: crowd_id } : { page: 'activity', id: campaign_id }

/** Signs in a frame on another site with a token that works once, for one viewer and one thing of one advertiser. */
export function embedService({ db, embedOrigins, publicUrl }: Deps) {
  function originOf(wanted: string | undefined): string {
    const [first, ...others] = embedOrigins
    if (first === undefined) throw new AppError('embedOff')
    if (wanted === undefined && others.length === 0) return first
    if (wanted !== undefined && embedOrigins.includes(wanted)) return wanted
    throw new AppError('badInput', { reason: outcome('embed_origin_unknown', { origins: [...embedOrigins] }) })
  }

  return {
    createToken: (viewer: Viewer, wanted: z.output<typeof createEmbedToken.body>) =>
      transaction(db, async (tx) => {
        viewer.mustBeMember(wanted.adv_id)
        if (viewer.framed) throw new AppError('tokenCannot')
        const origin = originOf(wanted.origin)
        const viewer_id = wanted.viewer_id ?? viewer.id
        if (viewer_id !== viewer.id) {
          if (!viewer.is_admin) throw new AppError('forbidden')
          const other = await loadViewer(tx, viewer_id)
          if (!other) throw new AppError('notFound', { what: '成员' })
          other.mustBeMember(wanted.adv_id)
        }
        const framed = framedOf(wanted)
        const token = randomBytes(32).toString('base64url')
        const expires_at = now() + EMBED_TOKEN_SECONDS
        await tx.deleteFrom('embed_token').where('expires_at', '<=', now()).execute()
        await tx
          .insertInto('embed_token')
          .values({
            token_hash: fingerprint(token),
            viewer_id,
            adv_id: wanted.adv_id,
            api_token_id: viewer.token_id,
            is_read_only: wanted.view === 'watch',
            framed_page: framed.page,
            framed_id: framed.id,
            origin,
            expires_at,
          })
          .execute()
        await audit(tx, viewer, 'embed.token', { viewer_id, adv_id: wanted.adv_id, origin, ...framed })
        // Behind the #, so that the token appears in no log and no Referer.
        return { url: `${publicUrl ?? ''}/embed#${token}`, token, expires_at }
      }),

    openSession: (token: string, from: { address: string; agent: string }) =>
      transaction(db, async (tx) => {
        const given = await tx
          .deleteFrom('embed_token')
          .where('token_hash', '=', fingerprint(token))
          .where('expires_at', '>', now())
          .returningAll()
          .executeTakeFirst()
        if (!given) throw new AppError('embedTokenGone')
        const viewer = await loadViewer(tx, given.viewer_id)
        // The viewer, the site or the membership may have been removed since the token was made.
        if (!viewer?.isMember(given.adv_id) || !embedOrigins.includes(given.origin)) {
          throw new AppError('embedTokenGone')
        }
        const { adv_id, api_token_id, is_read_only, framed_page, framed_id, origin } = given
        const from_token =
          api_token_id === null
            ? undefined
            : await tx.selectFrom('api_token').select('expires_at').where('id', '=', api_token_id).executeTakeFirst()
        const expires_at = Math.min(now() + EMBED_SESSION_SECONDS, from_token?.expires_at ?? Number.POSITIVE_INFINITY)
        const frame = { adv_id, api_token_id, is_read_only, framed_page, framed_id, expires_at }
        const session = await startSession(tx, viewer.id, from, frame)
        const framed = { page: framed_page, id: framed_id }
        await audit(tx, viewer, 'embed.sign_in', { adv_id, origin, address: from.address, ...framed })
        const view = is_read_only ? ('watch' as const) : ('edit' as const)
        return { session: `${EMBED_PREFIX}${session}`, adv_id, ...framed, view, origin, expires_at }
      }),
  }
}
export type EmbedService = ReturnType<typeof embedService>
