import type {} from '@fastify/cookie'
import type { FastifyReply } from 'fastify'

export const SESSION_COOKIE = 'renqun_session'
/** A session ends this long after it was last used. */
export const SESSION_SECONDS = 14 * 86_400
/** A session ends this long after the sign-in, however it is used. */
export const SESSION_LONGEST_SECONDS = 90 * 86_400

/** Tells a browser in which a viewer has signed in from a stranger's; it gives no rights. */
export const BROWSER_COOKIE = 'renqun_browser'
export const BROWSER_SECONDS = 180 * 86_400

/** Sets a cookie that scripts cannot read; null clears it. */
export function setCookie(
  reply: FastifyReply,
  publicUrl: string | undefined,
  name: string,
  value: string | null,
  maxAge: number,
): void {
  const cookie = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax' as const,
    secure: publicUrl?.startsWith('https:') ?? false,
  }
  if (value === null) reply.clearCookie(name, cookie)
  else reply.setCookie(name, value, { ...cookie, maxAge })
}
