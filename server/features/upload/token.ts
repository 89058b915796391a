import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import { loadViewer, type Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

/** Seconds. A page asks for a new token every five minutes. */
export const TOKEN_SECONDS = 900

/** Tokens for the embedded endpoint. They name the viewer, and end with the session or API token that requested them. */
export function uploadTokens(db: Kysely<Database>, key: Buffer) {
  const sign = (body: string) => createHmac('sha256', key).update(body).digest('base64url')

  return {
    issue(viewer: Viewer): { token: string; expires_at: number } {
      const expires_at = now() + TOKEN_SECONDS
      const body = [viewer.id, viewer.session_id ?? 0, viewer.token_id ?? 0, expires_at].join('.')
      return { token: `${body}.${sign(body)}`, expires_at }
    },

    /** The viewer of the token; null when it is invalid or expired, or its viewer is no longer signed in. */
    async viewerOf(token: string): Promise<Viewer | null> {
      const at = token.lastIndexOf('.')
      const body = token.slice(0, Math.max(at, 0))
      const [given, right] = [Buffer.from(token.slice(at + 1)), Buffer.from(sign(body))]
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null
      const [viewer_id = 0, session_id = 0, token_id = 0, expires_at = 0] = body.split('.').map(Number)
      if (expires_at <= now()) return null
      const table = session_id ? 'session' : 'api_token'
      const came = await db
        .selectFrom(table)
        .select('expires_at')
        .where('id', '=', session_id || token_id)
        .where('viewer_id', '=', viewer_id)
        .executeTakeFirst()
      if (!came || (came.expires_at !== null && came.expires_at <= now())) return null
      return loadViewer(db, viewer_id)
    },
  }
}
