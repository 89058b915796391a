import { randomBytes } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { Insertable, Kysely } from 'kysely'
import type { FramedPage } from '#contract/embed.ts'
import { fingerprint } from '../config/secrets.ts'
import { AppError } from '../errors.ts'
import type { Database, SessionTable } from '../postgres/schema.ts'
import { now } from '../time/clock.ts'
import { SESSION_COOKIE, SESSION_LONGEST_SECONDS, SESSION_SECONDS } from './cookies.ts'

/** A frame sends its session as a bearer token, since browsers block cookies in frames of other sites. */
export const EMBED_PREFIX = 'rqf_'
/** last_seen is updated at most this often. */
const SEEN_EVERY = 300

/** What a frame of another site was opened for; `id` 0: to make a new one. */
export interface Framed {
  page: FramedPage
  id: number
}

/** The caller, and what they may see. Members of an advertiser may see its people, tags and rules. */
export interface Viewer {
  id: number
  username: string
  realname: string
  is_admin: boolean
  see_phones: boolean
  see_restricted: boolean
  /** The advertisers of which they are a member; an admin is a member of all. */
  adv_ids: readonly number[]
  /** Those of them in which they may look at everything and change nothing. */
  read_only_adv_ids: readonly number[]
  /** The call's session; null if it came with an API token. */
  session_id: number | null
  /** Set if this call extended the session: the cookie must last until then (epoch seconds) too. */
  renewed_until?: number
  /** The call's API token. */
  token_id: number | null
  /** In a frame of another site: only one advertiser, no admin rights, and nothing that outlives the frame. */
  framed: Framed | null
  isMember(adv_id: number): boolean
  /** Throws unless the viewer is a member. */
  mustBeMember(adv_id: number): void
}

/** The viewer of a session cookie or bearer token; null if there is none or it has expired. */
export async function viewerOf(db: Kysely<Database>, request: FastifyRequest): Promise<Viewer | null> {
  const bearer = bearerOf(request)
  if (bearer?.startsWith(EMBED_PREFIX)) return viewerOfSession(db, bearer.slice(EMBED_PREFIX.length), true)
  if (bearer) {
    const token = await db
      .selectFrom('api_token')
      .select(['id', 'viewer_id', 'last_used', 'expires_at'])
      .where('token_hash', '=', fingerprint(bearer))
      .executeTakeFirst()
    if (!token || (token.expires_at !== null && token.expires_at <= now())) return null
    if ((token.last_used ?? 0) < now() - SEEN_EVERY) {
      await db.updateTable('api_token').set({ last_used: now() }).where('id', '=', token.id).execute()
    }
    return loadViewer(db, token.viewer_id, { token_id: token.id })
  }
  const cookie = request.cookies[SESSION_COOKIE]
  return cookie ? viewerOfSession(db, cookie, false) : null
}

async function viewerOfSession(db: Kysely<Database>, token: string, isEmbedded: boolean): Promise<Viewer | null> {
  const session = await db
    .selectFrom('session')
    .select(['id', 'viewer_id', 'created_at', 'last_seen', 'expires_at', 'adv_id', 'is_read_only'])
    .select(['framed_page', 'framed_id'])
    .where('token_hash', '=', fingerprint(token))
    .where('adv_id', isEmbedded ? 'is not' : 'is', null)
    .executeTakeFirst()
  if (!session || session.expires_at <= now()) return null
  // However it is used: a stolen cookie that is kept in use must end too.
  const endsBy = session.created_at + SESSION_LONGEST_SECONDS
  if (endsBy <= now()) return null
  const isLastSeenOld = session.last_seen < now() - SEEN_EVERY
  const renewed_until = isLastSeenOld && !isEmbedded ? Math.min(now() + SESSION_SECONDS, endsBy) : undefined
  if (isLastSeenOld) {
    await db
      .updateTable('session')
      .set({ last_seen: now(), ...(renewed_until === undefined ? {} : { expires_at: renewed_until }) })
      .where('id', '=', session.id)
      .execute()
  }
  const { adv_id, framed_page, framed_id } = session
  const frame =
    adv_id === null || framed_page === null || framed_id === null
      ? null
      : { adv_id, only_reads: session.is_read_only, framed: { page: framed_page, id: framed_id } }
  if (isEmbedded && !frame) return null
  const viewer = await loadViewer(db, session.viewer_id, { session_id: session.id, frame })
  return viewer && { ...viewer, ...(renewed_until === undefined ? {} : { renewed_until }) }
}

export const bearerOf = (request: Pick<FastifyRequest, 'headers'>): string | null =>
  /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null

/** How far a frame of another site reaches. */
interface Frame {
  adv_id: number
  only_reads: boolean
  framed: Framed
}

/** The viewer's current state; null if they do not exist or are disabled. */
export async function loadViewer(
  db: Kysely<Database>,
  id: number,
  came: { session_id?: number; token_id?: number; frame?: Frame | null } = {},
): Promise<Viewer | null> {
  const row = await db
    .selectFrom('viewer')
    .select(['id', 'username', 'realname', 'is_admin', 'see_phones', 'see_restricted'])
    .where('id', '=', id)
    .where('is_disabled', '=', false)
    .executeTakeFirst()
  if (!row) return null
  const rows: { adv_id: number; is_read_only?: boolean }[] = row.is_admin
    ? await db.selectFrom('advertiser').select('id as adv_id').orderBy('id').execute()
    : await db
        .selectFrom('viewer_advertiser')
        .select(['adv_id', 'is_read_only'])
        .where('viewer_id', '=', id)
        .orderBy('adv_id')
        .execute()
  const { session_id = null, token_id = null, frame = null } = came
  const members = new Set(rows.map((r) => r.adv_id).filter((adv_id) => !frame || adv_id === frame.adv_id))
  return {
    ...row,
    is_admin: row.is_admin && !frame,
    // The page around the frame may belong to somebody else.
    see_phones: row.see_phones && !frame,
    session_id,
    token_id,
    framed: frame?.framed ?? null,
    adv_ids: [...members],
    read_only_adv_ids: rows
      .filter((r) => (frame?.only_reads || r.is_read_only) && members.has(r.adv_id))
      .map((r) => r.adv_id),
    isMember: (adv_id) => members.has(adv_id),
    mustBeMember(adv_id) {
      if (!members.has(adv_id)) throw new AppError('notMember')
    },
  }
}

/**
 * The viewer of a call that changes something: naming anything of an advertiser of which they may only look is refused,
 * wherever the call checks the membership.
 */
export function forChanges(viewer: Viewer): Viewer {
  const readOnly = new Set(viewer.read_only_adv_ids)
  if (readOnly.size === 0) return viewer
  const mayChange = (adv_id: number) => {
    if (readOnly.has(adv_id)) throw new AppError('readOnly')
  }
  return {
    ...viewer,
    adv_ids: viewer.adv_ids.filter((adv_id) => !readOnly.has(adv_id)),
    isMember(adv_id) {
      mayChange(adv_id)
      return viewer.isMember(adv_id)
    },
    mustBeMember(adv_id) {
      mayChange(adv_id)
      viewer.mustBeMember(adv_id)
    },
  }
}

/** Throws if the viewer may look at advertisers and change nothing of any of them. */
export function mustChangeSomething({ adv_ids, read_only_adv_ids }: Viewer): void {
  if (read_only_adv_ids.length > 0 && adv_ids.every((id) => read_only_adv_ids.includes(id)))
    throw new AppError('readOnly')
}

/** Opens a session and returns the cookie's value; only its hash is stored. */
export async function startSession(
  db: Kysely<Database>,
  viewer_id: number,
  from: { address: string; agent: string },
  frame?: Pick<
    Insertable<SessionTable>,
    'adv_id' | 'api_token_id' | 'is_read_only' | 'framed_page' | 'framed_id' | 'expires_at'
  >,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.deleteFrom('session').where('expires_at', '<=', now()).execute()
  await db
    .insertInto('session')
    .values({
      viewer_id,
      token_hash: fingerprint(token),
      created_at: now(),
      last_seen: now(),
      expires_at: now() + SESSION_SECONDS,
      address: from.address,
      agent: from.agent.slice(0, 300),
      ...frame,
    })
    .execute()
  return token
}
