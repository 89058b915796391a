import type { AccountReceipt, Forgetting, RemovalStatus } from '#contract/forgetting.ts'
import type { Tone } from '../../components/StatusDot.tsx'

export const FORGET_TONES: Record<Forgetting['status'], Tone> = {
  waiting: 'waiting',
  running: 'running',
  failed: 'failed',
  done: 'done',
}

export const REMOVAL_TONES: Record<RemovalStatus, Tone> = {
  waiting: 'waiting',
  sending: 'running',
  retrying: 'waiting',
  paused: 'waiting',
  failed: 'failed',
  accepted: 'done',
  gone: 'idle',
  expired: 'failed',
}

/** Whether the receipt still changes by itself. */
export const isUnderWay = ({ status, accounts, accepted }: Pick<Forgetting, 'status' | 'accounts' | 'accepted'>) =>
  status !== 'done' || accepted < accounts

/** How far the platforms are: 平台已受理 3/4. */
export const platformsText = ({ accounts, accepted }: Pick<Forgetting, 'accounts' | 'accepted'>): string =>
  accounts === 0 ? '没有推送过' : `平台已受理 ${accepted}/${accounts}`

/** What more there is to say about the removal from an audience. */
export const removalHint = ({ status, reason }: Pick<AccountReceipt, 'status' | 'reason'>): string | null =>
  status === 'expired' ? '要移除的标识已按期清除，请到平台上核对' : reason
