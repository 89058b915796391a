import { consentPage, loginAsked, refusalPage } from '../oauth-page.ts'
import type { Parts } from '../parts.ts'
import type { Account } from '../people.ts'
import { PLATFORMS } from '../platforms.ts'
import type { Grant, Token } from '../tokens.ts'
import { type Answer, type Call, html, redirect } from '../wire.ts'
import { Refusal, success } from './envelope.ts'

const SCOPES = {
  ads_management: '广告投放',
  ads_insights: '数据洞察',
  account_management: '帐号服务',
  audience_management: '人群管理',
  user_actions: '用户行为数据接入',
} as const
const ROLES: Record<string, string> = {
  AGENCY: 'ACCOUNT_ROLE_TYPE_AGENCY',
  ORGANIZATION: 'ACCOUNT_ROLE_TYPE_BUSINESS_MANAGER',
}
const CODE_SECONDS = 300

/** The browser page and the token calls; they carry no access token, timestamp or nonce. */
export function socialOAuth({ people, tokens, switches }: Parts) {
  const mayBeChosen = ({ kind, is_valid }: Account) => is_valid === 1 && kind !== 'SUB_ADVERTISER'

  function redirectFault(uri: string): string | null {
    const url = URL.parse(uri)
    if (!url || !/^https?:$/.test(url.protocol)) return 'redirect_uri 应为 http 或 https 地址'
    if (Buffer.byteLength(uri) > 1024) return 'redirect_uri 不能超过 1024 字节'
    if (switches.now.strict_redirect && url.port) return 'redirect_uri 不能带端口'
    return null
  }

  function asked(call: Call) {
    const redirect_uri = call.query.get('redirect_uri') ?? ''
    const state = call.query.get('state')
    const scope = call.query.get('scope') ?? ''
    const account_type = call.query.get('account_type') ?? 'ACCOUNT_TYPE_QQ'
    const fault =
      (call.query.get('client_id') !== PLATFORMS.social.app.id ? 'client_id 不是已登记的应用' : null) ??
      redirectFault(redirect_uri) ??
      (Buffer.byteLength(state ?? '') > 512 ? 'state 不能超过 512 字节' : null) ??
      (scope && !(scope in SCOPES) ? `scope 不正确：${scope}` : null) ??
      (['ACCOUNT_TYPE_QQ', 'ACCOUNT_TYPE_WECHAT'].includes(account_type) ? null : 'account_type 不正确')
    return { redirect_uri, state, scope, fault }
  }

  function consent(call: Call, error?: string): Answer {
    const { scope, fault } = asked(call)
    if (fault) return html(refusalPage(fault), 400)
    const logins = people.logins('social')
    const { login, linkTo } = loginAsked(call.query, logins)
    if (!login) return html(refusalPage('沙箱中没有登录身份'), 400)
    return html(
      consentPage({
        platform: '腾讯广告',
        logins,
        login,
        accounts: people.accountsOf('social', login.id).filter(mayBeChosen),
        many: false,
        scopes: Object.entries(SCOPES)
          .filter(([value]) => !scope || value === scope)
          .map(([value, label]) => ({ value, label })),
        linkTo,
        ...(error ? { error } : {}),
      }),
      error ? 400 : 200,
    )
  }

  function decide(call: Call): Answer {
    const { redirect_uri, state, scope, fault } = asked(call)
    if (fault) return html(refusalPage(fault), 400)
    const form = new URLSearchParams(call.body.toString())
    const back = new URL(redirect_uri)
    if (state !== null) back.searchParams.set('state', state)
    if (form.get('decision') !== 'approve') {
      // The real page only closes; redirecting informs the console.
      back.searchParams.set('error', 'access_denied')
      return redirect(back.href)
    }
    const login_id = form.get('login') ?? ''
    const account = people.accountsOf('social', login_id).find(({ id }) => id === form.get('account'))
    if (!account || !mayBeChosen(account)) return consent(call, '请选择一个账户')
    const chosen = form.getAll('scope').filter((one) => one in SCOPES && (!scope || one === scope))
    if (chosen.length === 0) return consent(call, '请至少同意一项权限')
    const isAll = chosen.length === Object.keys(SCOPES).length
    const code = tokens.makeCode(
      { platform: 'social', login_id, accounts: covered(account), scopes: isAll ? [] : chosen },
      redirect_uri,
    )
    back.searchParams.set('authorization_code', code)
    return redirect(back.href)
  }

  /**
   * The token of an agency or an organization covers the accounts below it. The first account is the authorised one
   * itself.
   */
  const covered = ({ id }: Account) => [id, ...people.below('social', id).map((one) => one.id)]

  function checkApp(query: URLSearchParams) {
    const id = query.get('client_id')
    const secret = query.get('client_secret')
    if (!id) throw new Refusal(18001, ['client_id'])
    if (!secret) throw new Refusal(18001, ['client_secret'])
    if (!/^\d+$/.test(id)) throw new Refusal(18002, ['client_id'])
    if (id !== PLATFORMS.social.app.id || secret !== PLATFORMS.social.app.secret) throw new Refusal(11007)
  }

  const lifetimes = () => ({
    access_token_expires_in: switches.now.access_token_seconds,
    refresh_token_expires_in: switches.now.refresh_token_seconds,
  })

  function refreshable(refresh: string | null): Token {
    if (!refresh) throw new Refusal(18001, ['refresh_token'])
    if (refresh.length > 256) throw new Refusal(18003, ['refresh_token'])
    const token = tokens.byRefresh('social', refresh)
    if (!token) throw new Refusal(tokens.isSpent(refresh) ? 11012 : 11010)
    if (token.refresh_expires_at <= tokens.now()) throw new Refusal(11012)
    return token
  }

  function exchange(query: URLSearchParams): Answer {
    const code = query.get('authorization_code')
    if (!code) throw new Refusal(18001, ['authorization_code'])
    const redirect_uri = query.get('redirect_uri')
    if (!redirect_uri) throw new Refusal(18001, ['redirect_uri'])
    const found = code.length > 64 ? undefined : tokens.code('social', code)
    if (!found || found.redirect_uri !== redirect_uri) throw new Refusal(11011)
    if (found.isUsed) throw new Refusal(11013)
    if (found.age > CODE_SECONDS) throw new Refusal(11009)
    tokens.spendCode(code)
    const { grant } = found
    const token = tokens.make(grant)
    const account = people.account('social', grant.accounts[0] ?? '')
    return success({
      authorizer_info: {
        account_uin: BigInt(grant.login_id),
        account_id: BigInt(grant.accounts[0] ?? 0),
        scope_list: grant.scopes,
        wechat_account_id: '',
        account_role_type: ROLES[account?.kind ?? ''] ?? 'ACCOUNT_ROLE_TYPE_ADVERTISER',
        account_type: 'ACCOUNT_TYPE_QQ',
        role_type: 'ROLE_TYPE_ROOT',
      },
      access_token: token.access,
      refresh_token: token.refresh,
      ...lifetimes(),
    })
  }

  const grantOf = ({ platform, login_id, accounts, scopes }: Token): Grant => ({ platform, login_id, accounts, scopes })

  function token({ query }: Call): Answer {
    checkApp(query)
    const type = query.get('grant_type')
    if (!type) throw new Refusal(18001, ['grant_type'])
    if (type === 'authorization_code') return exchange(query)
    if (type !== 'refresh_token') throw new Refusal(18009, ['grant_type'])
    const old = refreshable(query.get('refresh_token'))
    tokens.prolong(old.refresh)
    const made = tokens.make(grantOf(old), { refresh: old.refresh })
    return success({ access_token: made.access, ...lifetimes() })
  }

  /** Renews the refresh token itself. */
  function refresh({ query }: Call): Answer {
    checkApp(query)
    const old = refreshable(query.get('refresh_token'))
    const made = tokens.make(grantOf(old))
    tokens.spendRefresh(old.refresh)
    return success({ access_token: made.access, refresh_token: made.refresh, ...lifetimes() })
  }

  return {
    'GET /oauth/authorize': (call: Call) => consent(call),
    'POST /oauth/authorize': decide,
    'GET /oauth/token': token,
    'GET /oauth/refresh_token': refresh,
  }
}
