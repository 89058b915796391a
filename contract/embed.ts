import { z } from 'zod'
import { ID_MAX, Id, keysOf, meaningsOf, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Seconds. A one-time token must be used to open its frame within this time. */
export const EMBED_TOKEN_SECONDS = 120
/** Seconds. A frame's session ends after this time, or earlier with the API token that requested it. */
export const EMBED_SESSION_SECONDS = 12 * 3600

/** What a frame shows: the editor of rule crowds, or the workbench of activities. */
export const FRAMED_PAGES = { crowd: '规则人群的编辑页', activity: '活动的编辑页' } as const
export type FramedPage = keyof typeof FRAMED_PAGES

const FramedId = z.int().min(0).max(ID_MAX)

export const createEmbedToken = endpoint({
  holdsSecret: true,
  method: 'POST',
  path: '/api/embed/token',
  group: '嵌入',
  summary: `为一个用户和一个广告主的一个人群或活动生成一次性令牌，供嵌入的页面登录；${EMBED_TOKEN_SECONDS} 秒内有效，只能用一次`,
  body: z
    .object({
      adv_id: Id.describe('广告主 ID'),
      /** The viewer for whom the frame acts: the caller, or any viewer when an admin calls. */
      viewer_id: Id.optional().describe('页面代表的用户 ID：默认是调用者自己，管理员可以指定任何用户'),
      /** The site that shows the frame, one of EMBED_ORIGINS; may be left out when there is only one. */
      origin: z.string().max(300).optional().describe('嵌入页面的网站来源，须在 EMBED_ORIGINS 中；只有一个时可不填'),
      /** 0 makes a new one. With neither of the two the frame makes a new crowd. */
      crowd_id: FramedId.optional().describe('要打开的规则人群 ID；0 是新建，两个都不填也是'),
      campaign_id: FramedId.optional().describe('要打开的活动 ID，与 crowd_id 只能给一个；0 是新建'),
      view: z.enum(['edit', 'watch']).default('edit').describe('edit 编辑，watch 只读'),
    })
    .refine(({ crowd_id, campaign_id }) => crowd_id === undefined || campaign_id === undefined, {
      path: ['campaign_id'],
      message: 'crowd_id 与 campaign_id 只能给一个',
    }),
  readers: true,
  data: z.object({
    /** The address that the frame opens; begins with PUBLIC_URL if that is set, else with the path. */
    url: z.string().describe('页面要打开的地址；没有设置 PUBLIC_URL 时只有路径'),
    token: z.string().describe('一次性令牌'),
    expires_at: Seconds.describe('令牌失效的时间，时间戳（秒）'),
  }),
})

export const openEmbedSession = endpoint({
  holdsSecret: true,
  method: 'POST',
  path: '/api/embed/session',
  group: '嵌入',
  summary:
    '嵌入的页面用一次性令牌换取会话；会话以 Authorization: Bearer 携带，只能访问该广告主，只能进行所打开的页面的操作',
  access: 'public',
  body: z.object({ token: z.string().min(1, '缺少嵌入令牌').max(200).describe('一次性令牌') }),
  data: z.object({
    session: z.string().describe('会话令牌，以 Authorization: Bearer 携带'),
    adv_id: Id.describe('会话所限的广告主 ID'),
    page: z.enum(keysOf(FRAMED_PAGES)).describe(`要打开的页面：${meaningsOf(FRAMED_PAGES)}`),
    id: FramedId.describe('要打开的规则人群或活动的 ID；0 是新建'),
    view: z.enum(['edit', 'watch']).describe('edit 编辑，watch 只读'),
    /** The only site that receives the frame's messages. */
    origin: z.string().describe('唯一会收到页面消息的网站来源'),
    expires_at: Seconds.describe('会话结束的时间，时间戳（秒）'),
  }),
})

/** Messages from a frame to the site around it. */
export type EmbedMessage =
  | { type: 'renqun:ready' }
  | { type: 'renqun:saved'; crowd: { id: number; tagId: number; name: string } }
  | { type: 'renqun:saved'; activity: { id: number; name: string } }
  | { type: 'renqun:cancel' }
  /** The session ended or could not be opened; a new one-time token opens the frame again. */
  | { type: 'renqun:signed-out' }
