import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { createViewer, resetViewerPassword, updateViewer } from '#contract/viewer.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { likePattern } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { forgetPlaces } from './known-places.ts'
import { hashNewPassword, passwordFault } from './password.ts'
import { presentViewer, revokeTokens } from './session.ts'

export const FIRST_VIEWER = 'admin'

interface Deps {
  db: Kysely<Database>
  /** Ends what strangers can open in a viewer's name; returns how many links. */
  revokeLinks(tx: Kysely<Database>, viewer_id: number): Promise<number>
}

/** Viewers, managed by an admin. */
export function viewerService({ db, revokeLinks }: Deps) {
  /** Sets the memberships; those among `read_only` may only look. */
  async function setAdvertisers(
    tx: Kysely<Database>,
    viewer_id: number,
    adv_ids: readonly number[],
    read_only: readonly number[],
  ) {
    if (read_only.some((id) => !adv_ids.includes(id))) {
      throw new AppError('badInput', { reason: outcome('read_only_not_member') })
    }
    await tx.deleteFrom('viewer_advertiser').where('viewer_id', '=', viewer_id).execute()
    const wanted = [...new Set(adv_ids)]
    if (wanted.length === 0) return
    const known = await tx.selectFrom('advertiser').select('id').where('id', 'in', wanted).execute()
    if (known.length < wanted.length) throw new AppError('notFound', { what: '广告主' })
    await tx
      .insertInto('viewer_advertiser')
      .values(wanted.map((adv_id) => ({ viewer_id, adv_id, is_read_only: read_only.includes(adv_id) })))
      .execute()
  }

  const membershipsOf = (tx: Kysely<Database>, viewer_id: number) =>
    tx.selectFrom('viewer_advertiser').select(['adv_id', 'is_read_only']).where('viewer_id', '=', viewer_id).execute()

  /** Holds the rows of all admins: two who remove each other's rights at the same time would leave none. */
  const lockAdmins = (tx: Kysely<Database>) =>
    tx.selectFrom('viewer').select('id').where('is_admin', '=', true).orderBy('id').forUpdate().execute()

  /** Signs the viewer out everywhere; returns how many sessions ended. */
  async function endSessions(tx: Kysely<Database>, viewer_id: number): Promise<number> {
    const ended = await tx.deleteFrom('session').where('viewer_id', '=', viewer_id).executeTakeFirst()
    await tx.deleteFrom('embed_token').where('viewer_id', '=', viewer_id).execute()
    return Number(ended.numDeletedRows)
  }

  /** What a new password ends: whoever knew the old one may have signed in and made tokens. */
  async function endAll(tx: Kysely<Database>, viewer_id: number, end_tokens: boolean) {
    await forgetPlaces(tx, viewer_id)
    return {
      sessions: await endSessions(tx, viewer_id),
      tokens: end_tokens ? await revokeTokens(tx, viewer_id) : 0,
    }
  }

  /** The viewer, unless deleted. */
  const existing = (tx: Kysely<Database>, id: number) =>
    tx.selectFrom('viewer').select(['id', 'username', 'realname']).where('id', '=', id).where('deleted_at', 'is', null)

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
        db.selectFrom('viewer').selectAll().where('deleted_at', 'is', null).orderBy('id').execute(),
        db.selectFrom('viewer_advertiser').selectAll().orderBy('adv_id').execute(),
        db
          .selectFrom('session')
          .select((eb) => ['viewer_id', eb.fn.max('last_seen').as('last_seen')])
          .groupBy('viewer_id')
          .execute(),
      ])
      const advIdsOf = (id: number, onlyReadOnly = false) =>
        members.filter((m) => m.viewer_id === id && (m.is_read_only || !onlyReadOnly)).map((m) => m.adv_id)
      return {
        list: viewers.map((row) => ({
          ...presentViewer({ ...row, read_only_adv_ids: advIdsOf(row.id, true) }),
          realname: row.realname,
          is_disabled: row.is_disabled,
          created_at: row.created_at,
          adv_ids: advIdsOf(row.id),
          last_seen: seen.find((s) => s.viewer_id === row.id)?.last_seen ?? null,
        })),
      }
    },

    async create(viewer: Viewer, wanted: z.output<typeof createViewer.body>) {
      const { password, adv_ids, read_only_adv_ids, ...flags } = wanted
      const password_hash = await hashNewPassword(flags.username, password)
      return transaction(db, async (tx) => {
        const row = await tx
          .insertInto('viewer')
          .values({ ...flags, password_hash, created_at: now() })
          .onConflict((oc) => oc.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!row) throw new AppError('usernameTaken')
        await setAdvertisers(tx, row.id, adv_ids, read_only_adv_ids)
        await audit(tx, viewer, 'viewer.create', {
          ...{ id: row.id, username: flags.username, adv_ids },
          ...(read_only_adv_ids.length > 0 ? { read_only_adv_ids } : {}),
        })
        return { id: row.id }
      })
    },

    async update(viewer: Viewer, id: number, change: z.output<typeof updateViewer.body>): Promise<void> {
      const { adv_ids, read_only_adv_ids, ...flags } = change
      await transaction(db, async (tx) => {
        await lockAdmins(tx)
        const row = await existing(tx, id).forUpdate().executeTakeFirst()
        if (!row) throw new AppError('notFound', { what: '成员' })
        if (Object.keys(flags).length > 0) await tx.updateTable('viewer').set(flags).where('id', '=', id).execute()
        if (adv_ids || read_only_adv_ids) {
          const held = await membershipsOf(tx, id)
          const members = adv_ids ?? held.map(({ adv_id }) => adv_id)
          const kept = held.filter(({ adv_id, is_read_only }) => is_read_only && members.includes(adv_id))
          await setAdvertisers(tx, id, members, read_only_adv_ids ?? kept.map(({ adv_id }) => adv_id))
        }
        await mustLeaveAnAdmin(tx)
        // Enabled again, the viewer makes new tokens and links: whoever holds an old one stays out.
        const ended = flags.is_disabled
          ? {
              sessions: await endSessions(tx, id),
              tokens: await revokeTokens(tx, id),
              links: await revokeLinks(tx, id),
            }
          : {}
        await audit(tx, viewer, 'viewer.update', { id, ...change, ...ended })
      })
    },

    /**
     * Deletes a viewer for good. What they made stays with its advertisers, and their row stays for the names in lists and
     * records; the sign-in name is free again.
     */
    async remove(viewer: Viewer, id: number): Promise<void> {
      if (id === viewer.id) throw new AppError('ownAccount')
      await transaction(db, async (tx) => {
        await lockAdmins(tx)
        const row = await existing(tx, id).forUpdate().executeTakeFirst()
        if (!row) throw new AppError('notFound', { what: '成员' })
        await tx
          .updateTable('viewer')
          .set({ is_disabled: true, is_admin: false, password_hash: '', deleted_at: now() })
          .where('id', '=', id)
          .execute()
        await mustLeaveAnAdmin(tx)
        await tx.deleteFrom('viewer_advertiser').where('viewer_id', '=', id).execute()
        const { username, realname } = row
        const ended = { ...(await endAll(tx, id, true)), links: await revokeLinks(tx, id) }
        await audit(tx, viewer, 'viewer.delete', { id, username, realname, ...ended })
      })
    },

    /** Ends all sessions, and the tokens unless they are to stay. */
    async setPassword(
      viewer: Viewer,
      id: number,
      { password, end_tokens }: z.output<typeof resetViewerPassword.body>,
    ): Promise<void> {
      const row = await existing(db, id).executeTakeFirst()
      if (!row) throw new AppError('notFound', { what: '成员' })
      const password_hash = await hashNewPassword(row.username, password)
      await transaction(db, async (tx) => {
        const done = await tx
          .updateTable('viewer')
          .set({ password_hash })
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        if (!done.numUpdatedRows) throw new AppError('notFound', { what: '成员' })
        await audit(tx, viewer, 'viewer.reset_password', { id, ...(await endAll(tx, id, end_tokens)) })
      })
    },

    /** Sets a new password from the command line, enables the user, and returns the password. */
    async resetByName(username: string, given: string | undefined): Promise<string> {
      const password = given ?? makePassword()
      const row = await db
        .selectFrom('viewer')
        .select(['id', 'username'])
        .where((eb) => eb(eb.fn('lower', ['username']), '=', username.toLowerCase()))
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!row) throw new AppError('notFound', { what: `成员「${username}」` })
      const password_hash = await hashNewPassword(row.username, password)
      await transaction(db, async (tx) => {
        await tx.updateTable('viewer').set({ password_hash, is_disabled: false }).where('id', '=', row.id).execute()
        await tx
          .deleteFrom('sign_in_attempt')
          .where('key', 'like', likePattern(`:${username.toLowerCase()}`))
          .execute()
        await audit(tx, null, 'viewer.reset_password', { id: row.id, ...(await endAll(tx, row.id, true)) })
      })
      return password
    },

    /** Why the password given for the first viewer is refused; null where there is a viewer already. */
    async firstPasswordFault(given: string | undefined): Promise<string | null> {
      const fault = given === undefined ? null : passwordFault(FIRST_VIEWER, given)
      const any = fault && (await db.selectFrom('viewer').select('id').limit(1).executeTakeFirst())
      return fault === null || any ? null : sentenceOf(fault)
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
          password_hash: await hashNewPassword(FIRST_VIEWER, password),
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
