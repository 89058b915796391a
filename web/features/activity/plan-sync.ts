import type { ActivityRow, PlanRow } from '#contract/activity-list.ts'
import type { PlanSync } from '#contract/activity-plan.ts'
import { sentenceOf, waitsUntil } from '#contract/outcome.ts'
import { formatNextAttempt } from '../../lib/format.ts'

/** Milliseconds between looks at plans that their platforms change, and at those that are only read there. */
const CHANGING_MS = 2000
const READING_MS = 3000

/** Whether a plan is being created or changed on its platform, so that it stands otherwise soon. */
export const isUnderWay = ({ state }: PlanSync): boolean => state === 'syncing' || state === 'creating'

/** Whether a plan that is to be off here is on there. */
export const runsThere = ({ told }: PlanSync): boolean => told.some(({ code }) => code === 'plan_runs_there')

/** The plans of a row, or the plan that it is. */
export const plansOfRow = (row: Pick<ActivityRow, 'children'> | PlanRow): readonly PlanRow[] =>
  'children' in row ? row.children : [row]

/** When plans are looked at again, since their platforms change or read them; false: not by themselves. */
export function nextLook(plans: readonly { sync: PlanSync }[], isReading = false): number | false {
  return plans.some(({ sync }) => isUnderWay(sync)) ? CHANGING_MS : isReading && READING_MS
}

/** What is said of each state; nothing where the plan is there as it is here. */
const WORDS: Partial<Record<PlanSync['state'], string>> = {
  creating: '创建中',
  uncreated: '创建失败',
  syncing: '同步中',
  failed: '平台没有接受',
}

/** What is said of an activity's plans that a platform did not make or change; empty where there are none. */
export function troubleWords(plans: readonly { name: string; sync: PlanSync }[]): { short: string; whole: string[] } {
  const troubled = plans.filter(({ sync }) => sync.state === 'uncreated' || sync.state === 'failed')
  return {
    short: troubled.length === 0 ? '' : `${troubled.length} 个计划未同步到平台`,
    whole: troubled.map(({ name, sync }) => `「${name}」${planSyncWords(sync)}`),
  }
}

/** How a plan stands with its platform, why, and when it is tried again; empty where all is the same. */
export function planSyncWords({ state, reason, told }: PlanSync): string {
  const said = WORDS[state]
  const until = reason && waitsUntil(reason)
  const why = reason ? [[sentenceOf(reason), ...(until === null ? [] : [formatNextAttempt(until)])].join('，')] : []
  return [...(said === undefined ? [] : [[said, ...why].join('：')]), ...told.map(sentenceOf)].join('；')
}
