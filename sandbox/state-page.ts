import type { LoggedCall } from './log.ts'
import { page } from './oauth-page.ts'
import type { Account, Login } from './people.ts'
import type { ShownPlan } from './plans.ts'
import { PLATFORMS } from './platforms.ts'
import type { ShownAudience } from './read-back.ts'
import { REAL_NAME_TOKEN } from './social/access.ts'
import type { Switches } from './switches.ts'
import { escaped } from './wire.ts'

const LABELS: Record<keyof Switches, string> = {
  seed: '随机种子',
  processing_seconds: '处理用时（秒）',
  slow_rate: '十倍慢的比例',
  throttle_rate: '限流的比例',
  error_rate: '5xx 的比例（未执行）',
  error_after_rate: '5xx 的比例（已执行）',
  busy_rate: '平台繁忙的比例',
  drop_before_rate: '断开连接的比例（未执行）',
  drop_after_rate: '断开连接的比例（已执行）',
  timeout_rate: '超时的比例',
  timeout_seconds: '超时多久后断开（秒）',
  half_accept_rate: '文件只收一半的比例',
  half_accept_as: '只收一半时的结果',
  faults_on_oauth: '令牌接口也出错',
  access_token_seconds: '访问令牌有效期（秒）',
  refresh_token_seconds: '刷新令牌有效期（秒）',
  strict_redirect: '回调地址不许带端口',
  social_audiences: '腾讯：账户的人群数上限',
  social_files_per_day: '腾讯：账户每天的文件数（0 不限）',
  social_calls_per_minute: '腾讯：每接口每分钟调用数（0 不限）',
  social_restricted_targeting: '腾讯：接受仅对部分行业开放的定向',
  social_targeting_limits: '腾讯：限制每账户每分钟的定向修改数',
  social_report_rows: '腾讯：报表每 10 秒匹配的行数（0 不限）',
  video_audiences: '巨量：账户的人群数上限',
  video_packages: '巨量引擎每个账户的定向包上限',
  video_sources_per_day: '巨量：每天新建数据源数',
  video_publish_every_seconds: '巨量：两次发布至少间隔（秒）',
  video_unique_names: '巨量：数据源不许重名',
  video_projects: '巨量：每账户项目数上限',
  video_project_names_unique: '巨量：项目不许重名',
  commerce_plans: '千川：每账户可运行的计划数',
  social_plans: '腾讯：每账户投放中的广告数（0 不限）',
  video_advertiser_qps: '巨量：广告主每秒调用数（0 不限）',
  video_application_qps: '巨量：应用每秒调用数（0 不限）',
  coverage_percent: '覆盖比例（%）',
}

const PLAN_LABELS: Record<ShownPlan['platform'], string> = {
  social: '腾讯广告',
  video: '巨量引擎',
  commerce: '巨量千川',
}
const HALF = { error: '文件失败', short: '文件成功，一半无效' } as const

interface State {
  switches: Switches
  logins: readonly Login[]
  accounts: readonly (Account & { live: number; ever_made: number })[]
}

function field(name: string, value: unknown): string {
  const label = escaped(LABELS[name as keyof Switches] ?? name)
  const input =
    typeof value === 'boolean'
      ? `<input type="checkbox" name="${name}"${value ? ' checked' : ''}>`
      : name === 'half_accept_as'
        ? `<select name="${name}">${Object.entries(HALF)
            .map(([one, said]) => `<option value="${one}"${one === value ? ' selected' : ''}>${said}</option>`)
            .join('')}</select>`
        : `<input type="number" step="any" name="${name}" value="${escaped(String(value))}">`
  return `<tr><td><label for="${name}">${label}</label></td><td>${input.replace(' name=', ` id="${name}" name=`)}</td></tr>`
}

const SCRIPT = `
const form = document.querySelector('form')
const key = new URLSearchParams(location.search).get('key')
const said = document.querySelector('[role=status]')
const send = async (path, body) => {
  const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', 'x-sandbox-key': key }, body: JSON.stringify(body) })
  said.textContent = answer.ok ? '已保存' : (await answer.json()).error
  return answer.ok
}
form.addEventListener('submit', (event) => {
  event.preventDefault()
  const body = {}
  for (const one of form.elements) {
    if (!one.name) continue
    body[one.name] = one.type === 'checkbox' ? one.checked : one.type === 'number' ? Number(one.value) : one.value
  }
  send('/sandbox/switches', body)
})
for (const one of document.querySelectorAll('[data-plan]')) {
  one.addEventListener('click', async () => {
    const { plan: id, platform, on } = one.dataset
    if (await send('/sandbox/plans/set', { platform, id, is_on: on !== '1' })) location.reload()
  })
}
document.querySelector('#reset').addEventListener('click', async () => {
  if (await send('/sandbox/switches/reset', {})) location.reload()
})`

/** A page for people with the state, the switches and the last calls. */
export function statePage(
  { switches, logins, accounts }: State,
  audiences: readonly ShownAudience[],
  calls: readonly LoggedCall[],
  plans: readonly ShownPlan[],
): string {
  const nameOf = new Map(logins.map(({ platform, id, name }) => [`${platform} ${id}`, name]))
  const rows = accounts
    .map(
      ({ platform, id, login_id, name, company, is_valid, live, ever_made }) =>
        `<tr><td>${PLATFORMS[platform].label}</td><td>${id}</td><td>${escaped(name)}</td><td>${escaped(company)}</td>
<td>${escaped(nameOf.get(`${platform} ${login_id}`) ?? '')}</td><td>${is_valid ? '正常' : '失效'}</td><td>${live} / ${ever_made}</td></tr>`,
    )
    .join('')
  const sets = audiences
    .map(
      ({ platform, id, account_id, name, status, size }) =>
        `<tr><td>${PLATFORMS[platform].label}</td><td>${id ?? '--'}</td><td>${account_id}</td><td>${escaped(name)}</td><td>${escaped(status)}</td><td>${size}</td></tr>`,
    )
    .join('')
  const planRows = plans
    .map(
      ({ platform, id, account_id, name, is_on, budget, is_deleted }) =>
        `<tr><td>${PLAN_LABELS[platform]}</td><td>${id}</td><td>${account_id}</td><td>${escaped(name)}</td><td>${
          budget === 0 ? '不限' : (budget / 100).toFixed(2)
        }</td><td>${is_deleted ? '已删除' : is_on ? '开启' : '暂停'}</td><td>${
          is_deleted
            ? ''
            : `<button type="button" data-plan="${id}" data-platform="${platform}" data-on="${is_on}">${is_on ? '暂停' : '开启'}</button>`
        }</td></tr>`,
    )
    .join('')
  const lines = calls
    .map(
      ({ at, platform, method, path, code, fault }) =>
        `<tr><td>${new Date(at * 1000).toLocaleTimeString('zh-CN')}</td><td>${PLATFORMS[platform].label}</td><td>${method} ${escaped(path)}</td><td>${code ?? '--'}</td><td>${fault ?? ''}</td></tr>`,
    )
    .join('')
  return page(
    '沙箱',
    `<style>main { max-width: 1100px } table { border-collapse: collapse; width: 100% }
td, th { text-align: left; padding: 4px 8px; border-bottom: 1px solid #e5e6eb } .scroll { overflow-x: auto }</style>
<h1>广告平台沙箱</h1><p>人群在没有配置真实平台时与它对话：协议与真实平台相同，状态保存在本机，重启后仍在。</p>
<h2>账户</h2><div class="scroll"><table><thead><tr><th>平台</th><th>编号</th><th>名称</th><th>主体</th><th>登录身份</th><th>状态</th><th>人群（现有 / 累计创建）</th></tr></thead><tbody>${rows}</tbody></table></div>
<h2>最近的人群</h2><div class="scroll"><table><thead><tr><th>平台</th><th>编号</th><th>账户</th><th>名称</th><th>状态</th><th>号码数</th></tr></thead><tbody>${sets || '<tr><td colspan="6">还没有人群</td></tr>'}</tbody></table></div>
<h2>最近的计划</h2><div class="scroll"><table><thead><tr><th>平台</th><th>编号</th><th>账户</th><th>名称</th><th>日预算（元）</th><th>状态</th><th></th></tr></thead><tbody>${planRows || '<tr><td colspan="7">还没有计划</td></tr>'}</tbody></table></div>
<p>腾讯的改动需要操作人的实名令牌（user_token），沙箱只接受 <code>${REAL_NAME_TOKEN}</code>。</p>
<h2>开关</h2><p>比例为 0 到 1。</p><form><table><tbody>${Object.entries(switches)
      .map(([name, value]) => field(name, value))
      .join('')}</tbody></table>
<button value="approve">保存</button><button type="button" id="reset">恢复默认</button> <span role="status"></span></form>
<h2>最近的调用</h2><div class="scroll"><table><thead><tr><th>时间</th><th>平台</th><th>调用</th><th>返回码</th><th>故障</th></tr></thead><tbody>${lines || '<tr><td colspan="5">还没有调用</td></tr>'}</tbody></table></div>
<script>${SCRIPT}</script>`,
  )
}
