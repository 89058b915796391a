import { z } from 'zod'
import { Id, IdParams, Nothing } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { PlatformCode } from './platform.ts'

const group = '广告主授权'
/** Seconds before the end of an authorisation at which its warning starts. */
export const EXPIRY_WARNING = 7 * 86_400
/** Seconds that the OAuth page may stay open. */
export const STATE_SECONDS = 600
/** Path to which platforms send the browser back; the platform's name follows. */
export const CALLBACK_PATH = '/api/oauth/callback'
/** Parameters that the callback adds to the return page: the id of an outcome, or why there is none. */
export const OUTCOME_PARAM = 'oauth'
export const REFUSAL_PARAM = 'oauth_error'

/** Why a platform's answer was refused before anything was asked of the platform. */
export const CALLBACK_REFUSALS = {
  signedOut: '登录状态已失效，授权没有完成：请登录后重新授权。',
  unknown: '这次授权不是您在本页面发起的，已被拒绝：请重新授权。',
  used: '这次授权已经处理过，不能重复使用：如需再次授权，请重新发起。',
  expired: '平台授权页停留超过 10 分钟，这次授权已失效：请重新授权。',
} as const
export type CallbackRefusal = keyof typeof CALLBACK_REFUSALS

/** Opens the platform's OAuth page; it comes back to `/api/oauth/callback/{platform}`. */
export const startAuthorisation = endpoint({
  method: 'POST',
  path: '/api/oauth/authorise',
  group,
  summary: '开始授权或重新授权，返回平台授权页地址',
  body: z.object({
    adv_id: Id,
    platform: PlatformCode,
    /** Path of the console's page to return to. */
    back: z.string().max(500).default('/basic-manage/index/advertiser-data'),
  }),
  data: z.object({ url: z.string() }),
})

const Account = z.object({ external_id: z.string(), name: z.string() })

/** The outcome of an authorisation that the platform answered. */
export const AuthorisationOutcome = z.object({
  platform: PlatformCode,
  adv_id: Id,
  /** Why nothing was authorised. */
  error: z.string().nullable(),
  /** Absent in rows stored before outcomes had codes. */
  error_outcome: AnyOutcome.nullish(),
  /** Accounts authorised now; `is_new` for those that the advertiser did not have yet. */
  accounts: z.array(Account.extend({ id: Id, is_new: z.boolean() })),
  /** Accounts that the login no longer manages. */
  lost: z.array(Account),
  /** Accounts that stay with another advertiser; `adv_name` is null if the viewer may not know it. */
  elsewhere: z.array(Account.extend({ adv_name: z.string().nullable() })),
})
export type AuthorisationOutcome = z.infer<typeof AuthorisationOutcome>

export const getAuthorisationOutcome = endpoint({
  method: 'GET',
  path: '/api/oauth/outcome/{id}',
  group,
  summary: '一次授权的结果；只有发起人可以查看',
  params: IdParams,
  data: AuthorisationOutcome,
})

export const revokeAuthorisation = endpoint({
  method: 'POST',
  path: '/api/oauth/revoke/{id}',
  group,
  summary: '撤销一个平台账户的授权：同一登录下没有其他账户时，令牌一并删除',
  params: IdParams,
  data: Nothing,
})

/** Which platforms can be authorised, and which of them are stand-ins, so that screens can say so. */
export const listPlatforms = endpoint({
  method: 'GET',
  path: '/api/oauth/platforms',
  group,
  summary: '各平台的接入方式',
  data: z.object({
    list: z.array(
      z.object({
        platform: PlatformCode,
        is_sandbox: z.boolean(),
        /** Why it cannot be authorised now; null when it can. */
        refusal: z.string().nullable(),
        refusal_outcome: AnyOutcome.nullable(),
      }),
    ),
  }),
})
