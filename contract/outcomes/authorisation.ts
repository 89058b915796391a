import { z } from 'zod'
import { AnyOutcome, entry, plain } from './entry.ts'

const Account = z.string()
const Platform = z.string().min(1)

/** Why an account or login cannot be used, and how an authorisation failed. */
export const AUTHORISATION_OUTCOMES = {
  authorisation_expired: plain('授权已到期', 'reauthorise'),
  authorisation_invalid: plain('授权已失效', 'reauthorise'),
  authorisation_revoked: plain('授权已撤销', 'reauthorise'),
  authorisation_token_expired: plain('授权已过期', 'reauthorise'),
  login_lost: entry(
    { refresh_was_cut: z.boolean(), cause: AnyOutcome },
    ({ refresh_was_cut, cause }, say) =>
      `${refresh_was_cut ? '上一次刷新令牌时中断，新令牌没有收到；' : ''}平台不再接受原来的授权（${say(cause)}）`,
    'reauthorise',
  ),
  account_gone: plain('账户不存在'),
  account_not_in_login: plain('最近一次授权没有包含此账户，或者登录已不再管理它', 'reauthorise'),
  account_without_login: entry(
    { account: Account },
    ({ account }) => `账户「${account}」没有授权，请到「广告主授权」授权`,
    'reauthorise',
  ),
  account_never_authorised: entry({ account: Account }, ({ account }) => `账户「${account}」尚未授权`, 'reauthorise'),
  /** `cause` is null when a viewer revoked it. */
  account_closed: entry(
    { account: Account, cause: AnyOutcome.nullable() },
    ({ account, cause }, say) => `账户「${account}」的授权已失效：${cause ? say(cause) : '已撤销'}`,
    'reauthorise',
  ),
  account_lacks_scope: entry(
    // Earlier versions stored the scopes joined.
    { account: Account, scope: z.array(z.string()).or(z.string().transform((joined) => [joined])) },
    ({ account, scope }) => `账户「${account}」没有人群管理权限（${scope.join('、')}），请重新授权并勾选该权限`,
    'reauthorise',
  ),
  account_of_other_platform: entry(
    { account: Account, platform: Platform },
    ({ account, platform }) => `账户「${account}」不是${platform}的账户`,
    'choose_other_account',
  ),

  oauth_return_elsewhere: plain('返回地址只能是本站的页面'),
  oauth_not_member: plain('您已没有该广告主的权限，授权没有完成'),
  oauth_cancelled: entry(
    { platform: Platform },
    ({ platform }) => `您在${platform}的授权页上取消了授权`,
    'reauthorise',
  ),
  oauth_without_accounts: entry({ platform: Platform }, ({ platform }) => `这个${platform}登录下没有可以授权的账户`),
  oauth_timed_out: entry(
    { platform: Platform },
    ({ platform }) => `${platform}没有及时回答，请稍后重新授权`,
    'reauthorise',
  ),
  oauth_code_used: entry(
    { cause: AnyOutcome },
    ({ cause }, say) => `授权码已失效或已被使用（${say(cause)}），请重新授权`,
    'reauthorise',
  ),
  oauth_no_answer: entry(
    { platform: Platform, cause: AnyOutcome },
    ({ platform, cause }, say) => `${platform}暂时没有回答（${say(cause)}），请稍后重新授权`,
    'reauthorise',
  ),
  oauth_misconfigured: entry(
    { platform: Platform, cause: AnyOutcome },
    ({ platform, cause }, say) => `${platform}的应用设置有误（${say(cause)}），请联系管理员`,
  ),
  oauth_refused: entry(
    { platform: Platform, cause: AnyOutcome },
    ({ platform, cause }, say) => `${platform}拒绝了授权：${say(cause)}`,
  ),
  oauth_without_account: plain('平台没有说明授权的账户，请重新授权', 'reauthorise'),
  oauth_database_away: plain('授权没有完成：数据库暂时不可用，请重新授权', 'reauthorise'),
  oauth_unexpected: plain('授权没有完成：服务出现意外错误，请重新授权', 'reauthorise'),

  platform_needs_settings: entry(
    { platform: Platform },
    ({ platform }) => `${platform}没有接入：请管理员设置平台地址、应用 ID 与密钥后重新启动`,
  ),
} as const
