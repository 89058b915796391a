import type { Funnel } from '#contract/custom-crowd.ts'

export interface Loss {
  key: string
  reason: string
  count: number
}

/** One step of the funnel: what is left, and what was lost since the step before. */
export interface Step {
  key: string
  label: string
  /** null while unknown. */
  value: number | null
  losses: Loss[]
  /** More than the step before: a platform counts its own people, and several may share an identifier. */
  gain: number
}

const lost = (losses: Loss[]): Loss[] => losses.filter((loss) => loss.count !== 0)
const sum = (losses: readonly Loss[]): number => losses.reduce((total, loss) => total + loss.count, 0)

/** 行数 → 有效 → 去重: the same for all accounts. */
export const crowdSteps = (funnel: Funnel): Step[] => [
  { key: 'lines', label: '行数', value: funnel.lines, losses: [], gain: 0 },
  {
    key: 'valid',
    label: '有效',
    value: funnel.valid,
    losses: lost([
      { key: 'malformed', reason: '无效行', count: funnel.malformed },
      { key: 'duplicate', reason: '同次上传中重复', count: funnel.duplicate },
    ]),
    gain: 0,
  },
  {
    key: 'unique',
    label: '去重',
    value: funnel.unique,
    losses: lost([
      { key: 'repeated', reason: '此前已有', count: funnel.repeated },
      { key: 'removed', reason: '被删减', count: funnel.removed },
    ]),
    gain: 0,
  },
]

/** 去重 → 已发送 → 平台接收 → 覆盖 of one account, for the version of its last push. */
export function accountSteps(account: Funnel['accounts'][number]): Step[] {
  const onPlatform = (
    key: string,
    label: string,
    before: number | null,
    value: number | null,
    reason: string,
  ): Step => {
    const difference = before === null || value === null ? 0 : before - value
    return {
      key,
      label,
      value,
      losses: lost([{ key: `not_${key}`, reason, count: Math.max(0, difference) }]),
      gain: Math.max(0, -difference),
    }
  }
  return [
    { key: 'unique', label: '去重', value: account.unique, losses: [], gain: 0 },
    {
      key: 'sent',
      label: '已发送',
      value: account.sent,
      losses: lost([
        { key: 'suppressed', reason: '屏蔽名单', count: account.suppressed },
        { key: 'no_consent', reason: '用户不同意', count: account.no_consent },
        { key: 'held_out', reason: '对照组', count: account.held_out },
        { key: 'not_sendable', reason: '平台不支持此类标识', count: account.not_sendable },
        { key: 'waiting', reason: '待发送', count: account.waiting },
      ]),
      gain: 0,
    },
    onPlatform('accepted', '平台接收', account.sent, account.accepted, '平台未接收'),
    onPlatform('covered', '覆盖', account.accepted, account.covered, '平台未匹配到用户'),
  ]
}

/** Steps whose losses do not equal the difference to the step before; any is a counting error. */
export const unbalancedSteps = (steps: readonly Step[]): Step[] =>
  steps.filter((step, i) => {
    const before = steps[i - 1]?.value
    if (i === 0 || step.value === null || before === null || before === undefined) return false
    return before - sum(step.losses) + step.gain !== step.value
  })
