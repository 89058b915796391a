import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { createViewer, updateViewer } from '#contract/viewer.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { likePattern } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { hashPassword } from './password.ts'
import { presentViewer } from './session.ts'

export const FIRST_VIEWER = 'admin'

/** Viewers, managed by an admin. */
export function viewerService(db: Kysely<Database>) {
  async function setAdvertisers(tx: Kysely<Database>, viewer_id: number, adv_ids: readonly number[]) {
    await tx.deleteFrom('viewer_advertiser').where('viewer_id', '=', viewer_id).execute()
    const wanted = [...new Set(adv_ids)]
    if (wanted.length === 0) return
    const known = await tx.selectFrom('advertiser').select('id').where('id', 'in', wanted).execute()
    if (known.length < wanted.length) throw new AppError('notFound', { what: '广告主' })
    await tx
      .insertInto('viewer_advertiser')
      .values(wanted.map((adv_id) => ({ viewer_id, adv_id })))
      .execute()
  }

  async function revokeAll(tx: Kysely<Database>, viewer_id: number) {
    const ended = await tx.deleteFrom('session').where('viewer_id', '=', viewer_id).executeTakeFirst()
    const revoked = await tx.deleteFrom('api_token').where('viewer_id', '=', viewer_id).executeTakeFirst()
    await tx.deleteFrom('embed_token').where('viewer_id', '=', viewer_id).execute()
    return { sessions: Number(ended.numDeletedRows), tokens: Number(revoked.numDeletedRows) }
  }

  async function mustLeaveAnAdmin(tx: Kysely<Database>) {
    const { left } = await tx
      .selectFrom('viewer')
      .select((eb) => eb.fn.countAll<number>().as('left'))
      .where('is_admin', '=', true)
      .where('is_disabled', '=', false)
      .executeTakeFirstOrThrow()
    if (left === 0) throw new AppError('lastAdmin')
  }

  return {
    async list() {
      const [viewers, members, seen] = await Promise.all([
        db.selectFrom('viewer').selectAll().orderBy('id').execute(),
        db.selectFrom('viewer_advertiser').selectAll().orderBy('adv_id').execute(),
        db
          .selectFrom('session')
          .select((eb) => ['viewer_id', eb.fn.max('last_seen').as('last_seen')])
          .groupBy('viewer_id')
          .execute(),
      ])
      return {
        list: viewers.map((row) => ({
          ...presentViewer(row),
          realname: row.realname,
          is_disabled: row.is_disabled,
          created_at: row.created_at,
          adv_ids: members.filter((m) => m.viewer_id === row.id).map((m) => m.adv_id),
          last_seen: seen.find((s) => s.viewer_id === row.id)?.last_seen ?? null,
        })),
      }
    },

    async create(viewer: Viewer, wanted: z.output<typeof createViewer.body>) {
      const { password, adv_ids, ...flags } = wanted
      const password_hash = await hashPassword(password)
      return transaction(db, async (tx) => {
        const row = await tx
          .insertInto('viewer')
          .values({ ...flags, password_hash, created_at: now() })
          .onConflict((oc) => oc.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!row) throw new AppError('usernameTaken')
        await setAdvertisers(tx, row.id, adv_ids)
        await audit(tx, viewer, 'viewer.create', { id: row.id, username: flags.username, adv_ids })
        return { id: row.id }
      })
    },

    async update(viewer: Viewer, id: number, change: z.output<typeof updateViewer.body>): Promise<void> {
      const { adv_ids, ...flags } = change
      await transaction(db, async (tx) => {
        // Otherwise two admins who remove each other's rights at the same time would leave no admin.
        await tx.selectFrom('viewer').select('id').where('is_admin', '=', true).orderBy('id').forUpdate().execute()
        const row = await tx.selectFrom('viewer').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
        if (!row) throw new AppError('notFound', { what: '用户' })
        if (Object.keys(flags).length > 0) await tx.updateTable('viewer').set(flags).where('id', '=', id).execute()
        if (adv_ids) await setAdvertisers(tx, id, adv_ids)
        await mustLeaveAnAdmin(tx)
        if (flags.is_disabled) await tx.deleteFrom('session').where('viewer_id', '=', id).execute()
        await audit(tx, viewer, 'viewer.update', { id, ...change })
      })
    },

    /** Ends all sessions and tokens: whoever knew the old password may have made some. */
    async setPassword(viewer: Viewer | null, id: number, password: string): Promise<void> {
      const password_hash = await hashPassword(password)
      await transaction(db, async (tx) => {
        const done = await tx.updateTable('viewer').set({ password_hash }).where('id', '=', id).executeTakeFirst()
        if (!done.numUpdatedRows) throw new AppError('notFound', { what: '用户' })
        await audit(tx, viewer, 'viewer.reset_password', { id, ...(await revokeAll(tx, id)) })
      })
    },

    /** Sets a new password from the command line, enables the user, and returns the password. */
    async resetByName(username: string, given: string | undefined): Promise<string> {
      const password = given ?? makePassword()
      const row = await db
        .selectFrom('viewer')
        .select('id')
        .where((eb) => eb(eb.fn('lower', ['username']), '=', username.toLowerCase()))
        .executeTakeFirst()
      if (!row) throw new AppError('notFound', { what: `用户「${username}」` })
      const password_hash = await hashPassword(password)
      await transaction(db, async (tx) => {
        await tx.updateTable('viewer').set({ password_hash, is_disabled: false }).where('id', '=', row.id).execute()
        await tx
          .deleteFrom('sign_in_attempt')
          .where('key', 'like', likePattern(`:${username.toLowerCase()}`))
          .execute()
        await audit(tx, null, 'viewer.reset_password', { id: row.id, ...(await revokeAll(tx, row.id)) })
      })
      return password
    },

    /** Makes the first viewer with the given or a generated password; null where there is a viewer already. */
    async makeFirst(given: string | undefined): Promise<{ password: string; isGiven: boolean } | null> {
      const any = await db.selectFrom('viewer').select('id').limit(1).executeTakeFirst()
      if (any) return null
      const password = given ?? makePassword()
      await db
        .insertInto('viewer')
        .values({
          username: FIRST_VIEWER,
          realname: '管理员',
          password_hash: await hashPassword(password),
          is_admin: true,
          see_phones: true,
          see_restricted: true,
          created_at: now(),
        })
        .onConflict((oc) => oc.doNothing())
        .execute()
      return { password, isGiven: given !== undefined }
    },
  }
}
export type ViewerService = ReturnType<typeof viewerService>

// Without characters that look alike on a terminal.
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const makePassword = () => Array.from({ length: 16 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
