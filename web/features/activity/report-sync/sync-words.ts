import { sentenceOf } from '#contract/outcome.ts'
import type { ReportAccount } from '#contract/report.ts'
import { formatTime } from '../../../lib/format.ts'

/** When the numbers shown were read, of the account that was read longest ago; null where none was. Epoch seconds. */
export const lastSync = (accounts: readonly ReportAccount[]): number | null => {
  const times = accounts.flatMap(({ synced_at }) => synced_at ?? [])
  return times.length > 0 ? Math.min(...times) : null
}

/** Why nothing can be read now; null where at least one account can. */
export function syncRefusal(accounts: readonly ReportAccount[]): string | null {
  // One that waits after a failure may be asked for again at once.
  if (accounts.some(({ state, fail_outcome }) => state === 'waiting' && fail_outcome === null)) return '正在同步'
  const open = accounts.filter(({ state }) => state !== 'paused')
  if (open.length > 0) return null
  const [first] = accounts
  return first?.fail_outcome ? sentenceOf(first.fail_outcome) : '没有可以同步的账户'
}

/** What is said of an account below its name. */
export function accountWords({
  state,
  fail_outcome,
  synced_at,
  complete_to,
  missing_days,
  rest_outcome,
  next_at,
}: ReportAccount): string[] {
  return [
    ...(state === 'waiting' ? [missing_days > 0 ? `同步中，还有 ${missing_days} 天` : '同步中'] : []),
    ...(fail_outcome ? [sentenceOf(fail_outcome)] : []),
    synced_at === null ? '还没有同步过' : `同步于 ${formatTime(synced_at)}`,
    ...(complete_to === null ? [] : [`数据完整到 ${complete_to}`]),
    ...(rest_outcome ? [sentenceOf(rest_outcome)] : []),
    next_at === null ? '不自动同步' : `下次自动同步 ${formatTime(next_at)}`,
  ]
}
