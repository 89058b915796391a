import { needsSomebody, type ReportStanding, reportStanding } from '#contract/activity/report-standing.ts'
import { sentenceOf } from '#contract/outcome.ts'
import type { ReportAccount } from '#contract/report.ts'
import { formatNextAttempt, formatTime } from '../../../lib/format.ts'

/** When the numbers shown were read, of the account that was read longest ago; null where none was. Epoch seconds. */
const lastSync = (accounts: readonly ReportAccount[]): number | null => {
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

/** What is said of accounts as a whole. `problem`: of those that somebody has to do something about. */
export function accountsWords(accounts: readonly ReportAccount[]): { words: string; problem: string | null } {
  const oldest = lastSync(accounts)
  const standings = accounts.map(reportStanding)
  const count = (holds: (one: ReportStanding) => boolean, words: string) => {
    const found = standings.filter(holds).length
    return found > 0 ? [`${found} 个账户${words}`] : []
  }
  const isFirst = (one: ReportStanding) => one.kind === 'awaited' || (one.kind === 'reading' && one.isFirst)
  return {
    words: [
      oldest === null ? '平台数据还没有同步' : `平台数据同步于 ${formatTime(oldest)}`,
      ...count(isFirst, '等待首次同步'),
      ...count(({ kind }) => kind === 'unauthorised', '尚未授权'),
    ].join('，'),
    problem: count(needsSomebody, '有问题')[0] ?? null,
  }
}

/** What is said of an account below its name: how it stands, and what is known of its numbers. */
export function accountWords(account: ReportAccount): string[] {
  const { synced_at, complete_to, rest_outcome } = account
  const standing = reportStanding(account)
  return [
    standingWords(standing),
    ...(standing.kind === 'read' || synced_at === null ? [] : [`同步于 ${formatTime(synced_at)}`]),
    ...(complete_to === null ? [] : [`数据完整到 ${complete_to}`]),
    ...(rest_outcome ? [sentenceOf(rest_outcome)] : []),
  ]
}

function standingWords(standing: ReportStanding): string {
  const daily = (at: number | null, words: string) => (at === null ? words : `下次自动同步 ${formatTime(at)}`)
  switch (standing.kind) {
    case 'unauthorised':
    case 'closed':
      return sentenceOf(standing.why)
    case 'failed':
      return `${sentenceOf(standing.why)}；${daily(standing.at, '不自动同步，可以点「同步」重试')}`
    case 'retrying':
      return [sentenceOf(standing.why), ...(standing.at === null ? [] : [formatNextAttempt(standing.at)])].join('，')
    case 'awaited':
      return `等待首次同步${left(standing.days)}`
    case 'reading':
      return `${standing.isFirst ? '首次同步中' : '同步中'}${left(standing.days)}`
    case 'unread':
      return standing.at === null
        ? '还没有同步过，不自动同步，可以点「同步」读取'
        : `等待首次同步，${formatTime(standing.at)} 自动开始`
    case 'read':
      return `同步于 ${formatTime(standing.read_at)}；${daily(standing.at, '不自动同步')}`
  }
}

const left = (days: number): string => (days > 0 ? `，还有 ${days} 天` : '')
