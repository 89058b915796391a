import { z } from 'zod'
import { ID_MAX, Id, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Seconds. A one-time token must be used to open its frame within this time. */
export const EMBED_TOKEN_SECONDS = 120
/** Seconds. A frame's session ends after this time, or earlier with the API token that requested it. */
export const EMBED_SESSION_SECONDS = 12 * 3600

export const createEmbedToken = endpoint({
  method: 'POST',
  path: '/api/embed/token',
  group: '嵌入',
  summary: `为一个用户和一个广告主生成一次性令牌，供嵌入的页面登录；${EMBED_TOKEN_SECONDS} 秒内有效，只能用一次`,
  body: z.object({
    adv_id: Id,
    /** The viewer for whom the frame acts: the caller, or any viewer when an admin calls. */
    viewer_id: Id.optional(),
    /** The site that shows the frame, one of EMBED_ORIGINS; may be left out when there is only one. */
    origin: z.string().max(300).optional(),
    /** 0 makes a new crowd. */
    crowd_id: z.int().min(0).max(ID_MAX).default(0),
    view: z.enum(['edit', 'watch']).default('edit'),
  }),
  data: z.object({
    /** The address that the frame opens; begins with PUBLIC_URL if that is set, else with the path. */
    url: z.string(),
    token: z.string(),
    expires_at: Seconds,
  }),
})

export const openEmbedSession = endpoint({
  method: 'POST',
  path: '/api/embed/session',
  group: '嵌入',
  summary: '嵌入的页面用一次性令牌换取会话；会话以 Authorization: Bearer 携带，只能访问该广告主',
  access: 'public',
  body: z.object({ token: z.string().min(1, '缺少嵌入令牌').max(200) }),
  data: z.object({
    session: z.string(),
    adv_id: Id,
    /** The only site that receives the frame's messages. */
    origin: z.string(),
    expires_at: Seconds,
  }),
})

/** Messages from a frame to the site around it. */
export type EmbedMessage =
  | { type: 'renqun:ready' }
  | { type: 'renqun:saved'; crowd: { id: number; tagId: number } }
  | { type: 'renqun:cancel' }
  /** The session ended or could not be opened; a new one-time token opens the frame again. */
  | { type: 'renqun:signed-out' }
