import { z } from 'zod'
import { Id, IdParams, Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { PlatformCode } from './platform.ts'

const group = '广告主授权'
/** Warned about this long before a refresh token ends, seconds. */
export const EXPIRY_WARNING = 7 * 86_400

/** Opens the platform's OAuth page; it comes back to `/api/oauth/callback/{platform}`. */
export const startAuthorisation = endpoint({
  method: 'POST',
  path: '/api/oauth/authorise',
  group,
  summary: '开始授权或重新授权，返回平台授权页地址',
  body: z.object({
    adv_id: Id,
    platform: PlatformCode,
    /** A path of the console to come back to. */
    back: z.string().max(500).default('/basic-manage/index/advertiser-data'),
  }),
  data: z.object({ url: z.string() }),
})

export const revokeAuthorisation = endpoint({
  method: 'POST',
  path: '/api/oauth/revoke/{id}',
  group,
  summary: '撤销一个平台账户的授权：令牌被删除',
  params: IdParams,
  data: Nothing,
})

/** Which platforms speak to the sandbox, so that screens can say so. */
export const listPlatforms = endpoint({
  method: 'GET',
  path: '/api/oauth/platforms',
  group,
  summary: '各平台的接入方式',
  data: z.object({
    list: z.array(z.object({ platform: PlatformCode, is_sandbox: z.boolean(), url: z.string(), checked_at: Seconds })),
  }),
})
