import type { PlatformAccount } from '#contract/advertiser.ts'
import { EXPIRY_WARNING } from '#contract/authorisation.ts'
import type { Tone } from '../../components/StatusDot.tsx'
import { namesOf } from './account-names.ts'

export const STATES: Record<PlatformAccount['state'], { tone: Tone; name: string }> = {
  authorised: { tone: 'done', name: '已授权' },
  invalid: { tone: 'failed', name: '需重新授权' },
  expired: { tone: 'failed', name: '已到期' },
  revoked: { tone: 'idle', name: '已撤销' },
  none: { tone: 'idle', name: '未授权' },
}

type Standing = Pick<PlatformAccount, 'state' | 'expires_at' | 'scope_list'>

/** Whether an account needs attention: it does not work, ends soon, or has no scopes. */
export function concernOf(
  { state, expires_at, scope_list }: Standing,
  now: number,
): 'broken' | 'ending' | 'powerless' | null {
  if (state === 'invalid' || state === 'expired') return 'broken'
  if (state !== 'authorised') return null
  if (expires_at !== null && expires_at - now < EXPIRY_WARNING) return 'ending'
  return scope_list.length === 0 ? 'powerless' : null
}

/** 还有 3 天到期 if it ends soon; else null. */
export function endingWords(account: Standing, now: number): string | null {
  if (concernOf(account, now) !== 'ending' || account.expires_at === null) return null
  const hours = Math.floor((account.expires_at - now) / 3600)
  if (hours < 1) return '不到 1 小时后到期'
  return hours < 24 ? `还有 ${hours} 小时到期` : `还有 ${Math.floor(hours / 24)} 天到期`
}

type Revoked = Pick<PlatformAccount, 'name' | 'external_id' | 'login' | 'audiences' | 'keeping_step' | 'pushes'>

/** What stops when an authorisation is revoked with those that share its token, one sentence each. */
export function lossesOf(revoked: readonly Revoked[]): string[] {
  const login = revoked[0]?.login
  const kept = (login?.accounts ?? revoked.length) - revoked.length
  const sum = (count: (one: Revoked) => number) => revoked.reduce((total, one) => total + count(one), 0)
  const [audiences, keeping_step, pushes] = [
    sum((one) => one.audiences),
    sum((one) => one.keeping_step),
    sum((one) => one.pushes),
  ]
  return [
    ...(revoked.length > 1
      ? [`${revoked.length} 个账户共用登录「${login?.name}」的令牌，会一起撤销：${namesOf(revoked)}。`]
      : []),
    kept > 0
      ? `此登录还有 ${kept} 个账户属于您不能更改的广告主，它们的授权与令牌保留。`
      : `登录「${login?.name ?? ''}」的令牌会立即删除。`,
    ...(pushes > 0 ? [`${pushes} 个未完成的推送会暂停，重新授权后自动继续。`] : []),
    ...(audiences > 0 ? [`平台上的 ${audiences} 个人群包保留，但不能再更新、改名或删除。`] : []),
    ...(keeping_step > 0 ? [`其中 ${keeping_step} 个不再随组合定向包自动更新。`] : []),
    ...(pushes + audiences === 0
      ? [`${revoked.length > 1 ? '这些' : '此'}账户上还没有人群包，也没有进行中的推送。`]
      : []),
  ]
}
