import { consentPage, loginAsked, refusalPage } from '../oauth-page.ts'
import type { Parts } from '../parts.ts'
import { PLATFORMS } from '../platforms.ts'
import type { Grant, Token } from '../tokens.ts'
import { type Answer, type Call, html, redirect } from '../wire.ts'
import { type Body, bodyOf } from './arguments.ts'
import { badRequest, Refusal, success } from './envelope.ts'

/** Scope numbers, each with the numbers that it includes. */
const SCOPES: Record<number, { label: string; below: readonly number[] }> = {
  1: { label: '账户信息', below: [10, 100] },
  14: { label: '用户信息', below: [140] },
  3: { label: 'DMP 人群管理', below: [30, 31] },
  72: { label: '定向包管理', below: [720, 721, 722] },
  26: { label: '项目管理', below: [260] },
  40005: { label: '自定义报表', below: [400050] },
}
/** Kinds of accounts that can be granted to each product; an organisation has accounts of both. */
const GRANTED: Record<'video' | 'commerce', readonly string[]> = {
  video: ['ADVERTISER', 'AGENT', 'CUSTOMER_ADMIN'],
  commerce: ['PLATFORM_ROLE_SHOP_ACCOUNT', 'PLATFORM_ROLE_QIANCHUAN_AGENT', 'CUSTOMER_ADMIN'],
}
const CODE_SECONDS = 600
const PAGES = ['/audit/oauth.html', '/openapi/audit/oauth.html', '/openapi/qc/audit/oauth.html'] as const

/** The browser page and the token calls. */
export function videoOAuth({ people, tokens, switches, clock, db }: Parts) {
  const productOf = (call: Call): keyof typeof GRANTED => (call.path.includes('/qc/') ? 'commerce' : 'video')
  /** Accounts that a product's page lists; others are found through the account above them. */
  const listed = (call: Call, login_id: string) =>
    people
      .accountsOf('video', login_id)
      .filter(({ parent_id, kind }) => parent_id === null && GRANTED[productOf(call)].includes(kind))

  /** What the login granted on the other product's page: one token covers it all. */
  function grantedElsewhere(call: Call, login_id: string): Pick<Grant, 'accounts' | 'scopes'> {
    const here = listed(call, login_id).flatMap(({ id }) => [id, ...people.below('video', id).map((one) => one.id)])
    const held = tokens.latestOfLogin('video', login_id)
    const accounts = (held?.accounts ?? []).filter((id) => !here.includes(id))
    return { accounts, scopes: accounts.length > 0 ? (held?.scopes ?? []) : [] }
  }

  function asked(call: Call) {
    const { query } = call
    const redirect_uri = query.get('redirect_uri') ?? ''
    const state = query.get('state')
    const scopes = scopesOf(query.get('scope'))
    const url = URL.parse(redirect_uri)
    const fault =
      (query.get('app_id') !== PLATFORMS.video.app.id ? 'app_id 不是已登记的应用' : null) ??
      (!url || !/^https?:$/.test(url.protocol) ? 'redirect_uri 应为 http 或 https 地址' : null) ??
      (switches.now.strict_redirect && url?.port ? 'redirect_uri 不能带端口' : null) ??
      (scopes === null ? 'scope 应为权限编号的 JSON 数组' : null) ??
      (['0', '1'].includes(query.get('material_auth') ?? '0') ? null : 'material_auth 只能是 0 或 1')
    return { redirect_uri, state, scopes: scopes ?? [], fault }
  }

  /** Null if it is not a JSON array of known numbers; all numbers if it is left out. */
  function scopesOf(text: string | null): number[] | null {
    const all = Object.keys(SCOPES).map(Number)
    if (!text) return all
    try {
      const given: unknown = JSON.parse(text)
      if (!Array.isArray(given) || given.some((one) => !Number.isInteger(one))) return null
      return all.filter((one) => given.includes(one) || SCOPES[one]?.below.some((below) => given.includes(below)))
    } catch {
      return null
    }
  }

  function consent(call: Call, error?: string): Answer {
    const { scopes, fault } = asked(call)
    if (fault) return html(refusalPage(fault), 400)
    const logins = people.logins('video')
    const { login, linkTo } = loginAsked(call.query, logins)
    if (!login) return html(refusalPage('沙箱中没有登录身份'), 400)
    return html(
      consentPage({
        platform: productOf(call) === 'commerce' ? '巨量千川' : '巨量引擎',
        logins,
        login,
        accounts: listed(call, login.id),
        many: true,
        scopes: scopes.map((one) => ({ value: String(one), label: `${SCOPES[one]?.label}（${one}）` })),
        linkTo,
        ...(error ? { error } : {}),
      }),
      error ? 400 : 200,
    )
  }

  function decide(call: Call): Answer {
    const { redirect_uri, state, scopes, fault } = asked(call)
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
    const wanted = form.getAll('account')
    const chosen = listed(call, login_id).filter((one) => wanted.includes(one.id))
    if (chosen.length === 0) return consent(call, '请至少选择一个账户')
    const rights = scopes.filter((one) => form.getAll('scope').includes(String(one)))
    if (rights.length === 0) return consent(call, '请至少同意一项权限')
    const accounts = chosen.flatMap(({ id }) => [id, ...people.below('video', id).map((one) => one.id)])
    const all = rights.flatMap((one) => [one, ...(SCOPES[one]?.below ?? [])])
    const elsewhere = grantedElsewhere(call, login_id)
    const grant: Grant = {
      platform: 'video',
      login_id,
      accounts: [...accounts, ...elsewhere.accounts],
      scopes: [...new Set([...all.map(String), ...elsewhere.scopes])],
    }
    back.searchParams.set('auth_code', tokens.makeCode(grant, redirect_uri))
    return redirect(back.href)
  }

  function checkApp(body: Body) {
    const id = body.id('app_id')
    const secret = body.text('secret')
    if (id !== PLATFORMS.video.app.id) throw new Refusal(40113)
    if (secret !== PLATFORMS.video.app.secret) throw new Refusal(40002, 'secret与app_id不匹配')
  }

  function checkGrantType(body: Body, only: string) {
    const given = body.text('grant_type', { isOptional: true })
    if (given !== undefined && given !== only) throw badRequest(`grant_type: 应为 ${only}`)
  }

  const pair = (token: Token) => ({
    access_token: token.access,
    expires_in: Math.floor(token.expires_at - token.made_at),
    refresh_token: token.refresh,
    refresh_token_expires_in: Math.floor(token.refresh_expires_at - token.made_at),
  })

  function exchange(call: Call): Answer {
    const body = bodyOf(call)
    checkApp(body)
    checkGrantType(body, 'auth_code')
    const code = body.text('auth_code')
    const found = tokens.code('video', code)
    if (!found || found.isUsed || found.age > CODE_SECONDS) throw new Refusal(40115)
    const token = db.together(() => {
      tokens.spendCode(code)
      return tokens.make(found.grant)
    })
    return success({ ...pair(token), advertiser_ids: found.grant.accounts.map(BigInt) })
  }

  /** All tokens of a login are one family: after a refresh only the new pair is valid. */
  function refresh(call: Call): Answer {
    const body = bodyOf(call)
    checkApp(body)
    checkGrantType(body, 'refresh_token')
    const given = body.text('refresh_token')
    const old = tokens.byRefresh('video', given)
    if (!old) throw new Refusal(tokens.isSpent(given) ? 40103 : 40107)
    if (old.refresh_expires_at <= clock.now()) throw new Refusal(40103)
    const token = db.together(() => {
      const { platform, login_id, accounts, scopes } = old
      tokens.endAllOfLogin('video', login_id)
      return tokens.make({ platform, login_id, accounts, scopes })
    })
    return success(pair(token))
  }

  function appToken(call: Call): Answer {
    checkApp(bodyOf(call))
    return success({ access_token: 'application-level', expires_in: switches.now.access_token_seconds })
  }

  return {
    ...Object.fromEntries(
      PAGES.flatMap((path) => [
        [`GET ${path}`, (call: Call) => consent(call)],
        [`POST ${path}`, decide],
      ]),
    ),
    'POST /open_api/oauth2/access_token/': exchange,
    'POST /open_api/oauth2/refresh_token/': refresh,
    'POST /open_api/oauth2/renew_token/': refresh,
    'POST /open_api/oauth2/app_access_token/': appToken,
  }
}
