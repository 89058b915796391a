import type { Account, Login } from './people.ts'
import { escaped } from './wire.ts'

const STYLE = `
body { margin: 0; font: 15px/1.6 system-ui, "PingFang SC", "Noto Sans CJK SC", sans-serif; color: #1f2329; background: #f4f5f7 }
.bar { background: #fff3cd; color: #664d03; text-align: center; padding: 6px; font-weight: 600 }
main { max-width: 620px; margin: 32px auto; background: #fff; padding: 24px 32px; border-radius: 8px }
h1 { font-size: 20px } h2 { font-size: 16px; margin: 20px 0 8px } fieldset { border: 0; padding: 0; margin: 0 }
label { display: block; padding: 4px 0 } small { color: #646a73 } .logins > * { display: inline-block; margin-right: 16px }
button { font: inherit; padding: 6px 24px; margin: 16px 12px 0 0; border-radius: 6px; border: 1px solid #c9cdd4; background: #fff }
button[value=approve] { background: #1456f0; border-color: #1456f0; color: #fff } .error { color: #b42318 }`

export const page = (title: string, body: string): string =>
  `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>${STYLE}</style></head><body>
<div class="bar">沙箱：这里不是真实的广告平台，数据只在本机</div><main>${body}</main></body></html>`

export const refusalPage = (sentence: string): string =>
  page('授权请求不正确', `<h1>授权请求不正确</h1><p class="error" role="alert">${escaped(sentence)}</p>`)

/** The login named in a page's address, or the first one; and the page's address for each login. */
export function loginAsked(query: URLSearchParams, logins: readonly Login[]) {
  const login = logins.find(({ id }) => id === query.get('login')) ?? logins[0]
  const linkTo = ({ id }: Login) => {
    const other = new URLSearchParams(query)
    other.set('login', id)
    return `?${other}`
  }
  return { login, linkTo }
}

/** The platform's consent page, with one login, its accounts and the scopes. */
export function consentPage(given: {
  platform: string
  logins: readonly Login[]
  login: Login
  accounts: readonly Account[]
  many: boolean
  scopes: readonly { value: string; label: string }[]
  /** The page's address for a login. */
  linkTo(login: Login): string
  error?: string
}): string {
  const { login, accounts, many, scopes } = given
  const others = given.logins
    .map((one) =>
      one.id === login.id
        ? `<strong>${escaped(one.name)}</strong>`
        : `<a href="${escaped(given.linkTo(one))}">${escaped(one.name)}</a>`,
    )
    .join(' ')
  const choices = accounts
    .map(
      ({ id, name, company }, at) =>
        `<label><input type="${many ? 'checkbox' : 'radio'}" name="account" value="${id}"${many || at === 0 ? ' checked' : ''}> ${escaped(name)} <small>${id} · ${escaped(company)}</small></label>`,
    )
    .join('')
  const rights = scopes
    .map(
      ({ value, label }) =>
        `<label><input type="checkbox" name="scope" value="${value}" checked> ${escaped(label)}</label>`,
    )
    .join('')
  return page(
    `${given.platform}授权`,
    `<h1>${escaped(given.platform)}授权</h1>
${given.error ? `<p class="error" role="alert">${escaped(given.error)}</p>` : ''}
<p>应用“人群”申请使用以下账户。</p>
<h2>登录身份</h2><p class="logins">${others}</p>
<form method="post" action="${escaped(given.linkTo(login))}"><input type="hidden" name="login" value="${login.id}">
<h2>账户</h2><fieldset>${choices}</fieldset>
<h2>权限</h2><fieldset>${rights}</fieldset>
<button name="decision" value="approve">同意授权</button><button name="decision" value="deny">拒绝</button></form>`,
  )
}
