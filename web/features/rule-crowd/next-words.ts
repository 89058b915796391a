import { scheduleWords } from '#contract/crowd-schedule.ts'
import type { RuleCrowd } from '#contract/rule-crowd.ts'
import { formatMoment } from '../../lib/format.ts'

type Updated = Pick<RuleCrowd, 'status' | 'schedule' | 'nextAt'>

/** When a crowd is updated next: 11-28 08:00, or 数据变化后. */
export function nextWords({ status, nextAt }: Pick<Updated, 'status' | 'nextAt'>): string {
  if (status === 'invalid') return '已失效，不再更新'
  return nextAt === null ? '数据变化后' : formatMoment(nextAt)
}

/** 11-28 08:00（每天 08:00）, 数据变化后（跟随数据）. */
export const updateWords = (crowd: Updated): string => `${nextWords(crowd)}（${scheduleWords(crowd.schedule)}）`
