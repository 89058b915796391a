import { z } from 'zod'
import { Id, IdParams } from './common.ts'
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
    adv_id: Id.describe('广告主 ID'),
    platform: PlatformCode,
    /** Path of the console's page to return to. */
    back: z.string().max(500).default('/basic-manage/index/advertiser-data').describe('授权后返回的本站页面路径'),
  }),
  data: z.object({ url: z.string().describe('要打开的平台授权页地址') }),
})

const Account = z.object({
  external_id: z.string().describe('平台给账户的编号'),
  name: z.string().describe('平台账户的名称'),
})

/** The outcome of an authorisation that the platform answered. */
export const AuthorisationOutcome = z.object({
  platform: PlatformCode,
  adv_id: Id.describe('广告主 ID'),
  /** Why nothing was authorised. */
  error: z.string().nullable().describe('没有授权成功的原因，一句话；成功时为 null'),
  /** Absent in rows stored before outcomes had codes. */
  error_outcome: AnyOutcome.nullish(),
  /** Accounts authorised now; `is_new` for those that the advertiser did not have yet. */
  accounts: z
    .array(
      Account.extend({ id: Id.describe('平台账户 ID'), is_new: z.boolean().describe('是否是广告主之前没有的账户') }),
    )
    .describe('本次授权的账户'),
  /** Accounts that the login no longer manages. */
  lost: z.array(Account).describe('这个登录不再管理的账户'),
  /** Accounts that stay with another advertiser; `adv_name` is null if the viewer may not know it. */
  elsewhere: z
    .array(Account.extend({ adv_name: z.string().nullable().describe('那个广告主的名称；查看者无权知道时为 null') }))
    .describe('仍属于其他广告主的账户'),
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
  summary:
    '撤销一个平台账户的授权：与它共用令牌的账户一并撤销，令牌随之删除；属于调用者不能更改的广告主的账户保留授权与令牌',
  params: IdParams,
  data: z.object({
    revoked: z.array(Account.extend({ id: Id.describe('平台账户 ID') })).describe('这次撤销的账户；之前已撤销时为空'),
  }),
})

/** Which platforms can be authorised, and which of them are stand-ins, so that screens can say so. */
export const listPlatforms = endpoint({
  holdsSecret: true,
  method: 'GET',
  path: '/api/oauth/platforms',
  group,
  summary: '各平台的接入方式',
  data: z.object({
    list: z
      .array(
        z.object({
          platform: PlatformCode,
          is_sandbox: z.boolean().describe('是否是沙箱（平台的替身）'),
          /** Why it cannot be authorised now; null when it can. */
          refusal: z.string().nullable().describe('现在不能授权的原因，一句话；可以时为 null'),
          refusal_outcome: AnyOutcome.nullable(),
        }),
      )
      .describe('各平台的接入方式'),
    sandbox_page: z
      .string()
      .nullable()
      .describe('沙箱的状态与开关页，地址中有启动时生成的密钥，只有管理员能看到；没有由本服务启动的沙箱时为 null'),
  }),
})
