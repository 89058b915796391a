import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import { type changePassword, TOKENS_MAX } from '#contract/viewer.ts'
import { fingerprint } from '../../config/secrets.ts'
import { AppError } from '../../errors.ts'
import { loadViewer, startSession, type Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { forgetPlaces, knownPlaceOf, rememberPlace } from './known-places.ts'
import { checkPassword, hashNewPassword } from './password.ts'
import { ownPasswordBuckets, signInBuckets, signInThrottle } from './throttle.ts'

type From = { address: string; agent: string; browser?: string | null }

/** Signing in and out, the caller's own sessions and API tokens. */
export function sessionService(db: Kysely<Database>) {
  const throttle = signInThrottle(db)

  return {
    async signIn(username: string, password: string, from: From) {
      const known = await knownPlaceOf(db, username, from)
      const buckets = signInBuckets(username, from.address, known)
      const viewer = await throttle.guess(buckets, async () => {
        const named = await db
          .selectFrom('viewer')
          .selectAll()
          .where((eb) => eb(eb.fn('lower', ['username']), '=', username.toLowerCase()))
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        const right = await checkPassword(named?.password_hash, password)
        return named && right && !named.is_disabled ? named : null
      })
      if (!viewer) throw new AppError('wrongPassword')
      await throttle.succeeded(buckets)
      return transaction(db, async (tx) => {
        // The password may have been changed since it was checked; locked, it is changed after the session is stored.
        const still = await tx
          .selectFrom('viewer')
          .select('password_hash')
          .where('id', '=', viewer.id)
          .forShare()
          .executeTakeFirst()
        if (still?.password_hash !== viewer.password_hash) throw new AppError('wrongPassword')
        await audit(tx, viewer, 'viewer.sign_in', { address: from.address })
        const token = await startSession(tx, viewer.id, from)
        const browser = await rememberPlace(tx, viewer.id, from)
        const signedIn = await loadViewer(tx, viewer.id)
        // Disabled since the password was checked.
        if (!signedIn) throw new AppError('wrongPassword')
        return { viewer: presentViewer(signedIn), token, browser }
      })
    },

    async signOut(viewer: Viewer | null): Promise<void> {
      if (!viewer?.session_id) return
      await db.deleteFrom('session').where('id', '=', viewer.session_id).execute()
    },

    /** Ends every other session of the viewer: one of them may be stolen. Returns the browser's cookie. */
    async changePassword(
      viewer: Viewer,
      { old_password, password, end_tokens }: z.output<typeof changePassword.body>,
      from: From,
    ): Promise<string> {
      mustBeSignedIn(viewer)
      const right = await throttle.guess(ownPasswordBuckets(viewer.id), async () => {
        const row = await db
          .selectFrom('viewer')
          .select('password_hash')
          .where('id', '=', viewer.id)
          .executeTakeFirstOrThrow()
        return (await checkPassword(row.password_hash, old_password)) || null
      })
      if (!right) throw new AppError('badInput', { reason: outcome('password_wrong') })
      const password_hash = await hashNewPassword(viewer.username, password)
      return transaction(db, async (tx) => {
        await tx.updateTable('viewer').set({ password_hash }).where('id', '=', viewer.id).execute()
        await tx.deleteFrom('session').where('viewer_id', '=', viewer.id).where('id', '!=', viewer.session_id).execute()
        await tx.deleteFrom('embed_token').where('viewer_id', '=', viewer.id).execute()
        await forgetPlaces(tx, viewer.id)
        const browser = await rememberPlace(tx, viewer.id, from)
        const tokens = end_tokens ? await revokeTokens(tx, viewer.id) : 0
        await audit(tx, viewer, 'viewer.change_password', { tokens })
        return browser
      })
    },

    async sessions(viewer: Viewer) {
      const rows = await db
        .selectFrom('session')
        .select(['id', 'created_at', 'last_seen', 'expires_at', 'address', 'agent'])
        .where('viewer_id', '=', viewer.id)
        .where('expires_at', '>', now())
        .orderBy('last_seen', 'desc')
        .execute()
      return { list: rows.map((row) => ({ ...row, is_current: row.id === viewer.session_id })) }
    },

    async endSession(viewer: Viewer, id: number): Promise<void> {
      if (viewer.framed) throw new AppError('tokenCannot')
      await transaction(db, async (tx) => {
        const gone = await tx
          .deleteFrom('session')
          .where('id', '=', id)
          .where('viewer_id', '=', viewer.id)
          .executeTakeFirst()
        if (!gone.numDeletedRows) throw new AppError('notFound', { what: '会话' })
        await audit(tx, viewer, 'session.end', { id })
      })
    },

    async tokens(viewer: Viewer) {
      const list = await db
        .selectFrom('api_token')
        .select(['id', 'name', 'tail', 'created_at', 'last_used', 'expires_at'])
        .where('viewer_id', '=', viewer.id)
        .orderBy('id', 'desc')
        .execute()
      return { list }
    },

    /** Only a signed-in viewer makes tokens, so that a leaked token cannot make another one. */
    async createToken(viewer: Viewer, name: string, expires_at: number | null) {
      mustBeSignedIn(viewer)
      if (expires_at !== null && expires_at <= now()) {
        throw new AppError('badInput', { reason: outcome('token_expiry_past') })
      }
      const token = `rq_${randomBytes(32).toString('base64url')}`
      return transaction(db, async (tx) => {
        const { held } = await tx
          .selectFrom('api_token')
          .select((eb) => eb.fn.countAll<number>().as('held'))
          .where('viewer_id', '=', viewer.id)
          .executeTakeFirstOrThrow()
        if (held >= TOKENS_MAX) throw new AppError('badInput', { reason: outcome('tokens_full', { max: TOKENS_MAX }) })
        const { id } = await tx
          .insertInto('api_token')
          .values({
            viewer_id: viewer.id,
            name,
            token_hash: fingerprint(token),
            tail: token.slice(-4),
            created_at: now(),
            expires_at,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit(tx, viewer, 'token.create', { id, name })
        return { id, token }
      })
    },

    async deleteToken(viewer: Viewer, id: number): Promise<void> {
      if (viewer.framed) throw new AppError('tokenCannot')
      await transaction(db, async (tx) => {
        const gone = await tx
          .deleteFrom('api_token')
          .where('id', '=', id)
          .where('viewer_id', '=', viewer.id)
          .executeTakeFirst()
        if (!gone.numDeletedRows) throw new AppError('notFound', { what: '令牌' })
        await audit(tx, viewer, 'token.delete', { id })
      })
    },
  }
}
export type SessionService = ReturnType<typeof sessionService>

/** Revokes the API tokens of a viewer for good, with the frames that they opened; returns how many. */
export async function revokeTokens(db: Kysely<Database>, viewer_id: number): Promise<number> {
  const revoked = await db.deleteFrom('api_token').where('viewer_id', '=', viewer_id).executeTakeFirst()
  await db.deleteFrom('embed_token').where('viewer_id', '=', viewer_id).execute()
  return Number(revoked.numDeletedRows)
}

/** Refuses API tokens and embedded sessions. */
function mustBeSignedIn(viewer: Viewer): void {
  if (viewer.session_id === null || viewer.framed) throw new AppError('tokenCannot')
}

/** A viewer as the wire shows them; the name falls back to the sign-in name. */
export const presentViewer = (row: {
  id: number
  username: string
  realname: string
  is_admin: boolean
  see_phones: boolean
  see_restricted: boolean
  read_only_adv_ids: readonly number[]
}) => ({
  id: row.id,
  username: row.username,
  realname: row.realname || row.username,
  is_admin: row.is_admin,
  see_phones: row.see_phones,
  see_restricted: row.see_restricted,
  read_only_adv_ids: [...row.read_only_adv_ids],
})
