import { CUSTOM_STATUS, type CustomChild } from '#contract/audience.ts'
import { AUDIENCE_CODES, type AudienceCode } from '#contract/platform.ts'
import { PUSH_STATE, type PushState } from '#contract/push-status.ts'
import type { Tone } from '../../components/StatusDot.tsx'
import { formatNextAttempt } from '../../lib/format.ts'
import { CUSTOM_TONES, percent } from './status-parts.tsx'

export const PUSH_TONES: Record<PushState, Tone> = {
  waiting: 'waiting',
  running: 'running',
  retrying: 'waiting',
  paused: 'waiting',
  done: 'done',
  failed: 'failed',
  cancelled: 'idle',
}

/** The state of an audience's newest push in words, with its progress or when it goes on; null if it was never pushed. */
export function pushWords({ push, last_push }: Pick<CustomChild, 'push' | 'last_push'>): string | null {
  if (!last_push) return null
  const { state, next_at } = last_push
  const words = PUSH_STATE[state]
  if (state === 'running' && push) return `${words}${percent(push.progress)}`
  return next_at === null ? words : `${words}，${formatNextAttempt(next_at)}`
}

/** The states where there is room for two characters. */
const SHORT_STATE: Record<PushState, string> = {
  waiting: '等待',
  running: '进行',
  retrying: '重试',
  paused: '暂停',
  done: '成功',
  failed: '失败',
  cancelled: '取消',
}

export interface PlatformChip {
  platform: AudienceCode
  accounts: number
  words: string
  /** Two or a few more characters of `words`. */
  short: string
  tone: Tone
  /** With the account and the reason. */
  title: string
}

/** The states that need attention first. */
const RANK: Record<PushState, number> = {
  failed: 6,
  paused: 5,
  retrying: 4,
  running: 3,
  waiting: 2,
  cancelled: 1,
  done: 0,
}
const rankOf = (child: CustomChild) => (isUnusable(child) ? 7 : RANK[child.last_push?.state ?? 'done'])

/** The platform itself says that the audience cannot be used, though the push succeeded. */
const isUnusable = ({ status, last_push }: CustomChild) =>
  (last_push === null || last_push.state === 'done') && status !== 'available' && status !== 'computing'

/** For each platform the state of the audience there that needs attention first. */
export const platformChips = (audiences: readonly CustomChild[]): PlatformChip[] =>
  AUDIENCE_CODES.flatMap((platform) => {
    const children = audiences.filter((child) => child.cnt_type === platform)
    const worst = children.toSorted((one, other) => rankOf(other) - rankOf(one))[0]
    if (!worst) return []
    const state = worst.last_push?.state ?? null
    const isOwn = state === null || isUnusable(worst)
    const words = isOwn ? CUSTOM_STATUS[worst.status] : PUSH_STATE[state]
    const more = children.length > 1 ? `（共 ${children.length} 个账户）` : ''
    const said = isOwn ? words : (pushWords(worst) ?? words)
    return [
      {
        platform,
        accounts: children.length,
        words,
        short: isOwn ? words : SHORT_STATE[state],
        tone: isOwn ? CUSTOM_TONES[worst.status] : PUSH_TONES[state],
        title: [`${worst.adv_name}：${said}${more}`, ...(worst.reason ? [worst.reason] : [])].join('\n'),
      },
    ]
  })
