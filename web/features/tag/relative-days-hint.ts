import type { RelativeDays } from '#contract/tag-condition.ts'
import { plainToday } from '../../lib/days.ts'

const DAY = 'YYYY-MM-DD'

/** Which days relative days mean today, such as （2026-10-24 至 2026-11-22，截至昨天）; empty without a number. */
export function relativeDaysHint(when: RelativeDays, days: number | null, today = plainToday()): string {
  if (!days) return ''
  const first = today.subtract(days, 'day').format(DAY)
  if (when === 'past') return `（${first} 至 ${today.subtract(1, 'day').format(DAY)}，截至昨天）`
  if (when === 'before') return `（早于 ${first}，不含当天）`
  return `（${today.format(DAY)} 至 ${today.add(days - 1, 'day').format(DAY)}，含今天）`
}
