import type { z } from 'zod'
import { metricValue } from '#contract/activity/formulas.ts'
import { visibleMetrics } from '#contract/activity/metrics.ts'
import { isTrendKey, TREND_KEYS, TREND_SUMS } from '#contract/activity/trends.ts'
import type { ActivityTrend, listActivityTrends } from '#contract/activity-trends.ts'
import { REPORT_DAYS_MAX } from '#contract/day-report.ts'
import { outcome } from '#contract/outcome.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { seenActivities } from '../../postgres/seen-activities.ts'
import { askedDays } from '../../reports/asked-days.ts'
import { type SumsByDay, sumsOfGroups } from '../../reports/sums-of-groups.ts'
import { daysBetween } from '../../time/day.ts'
import type { ActivityDeps } from './deps.ts'
import { linkedOf, planReads } from './plan-reads.ts'
import { namesOf } from './plan-sums.ts'

/** How the cost and the conversions of activities went, day by day. */
export function activityTrends({ db, live, timezone }: Pick<ActivityDeps, 'db' | 'live' | 'timezone'>) {
  const daysOf = askedDays(timezone)
  return async (
    viewer: Viewer,
    asked: z.output<typeof listActivityTrends.query>,
  ): Promise<z.output<typeof listActivityTrends.data>> => {
    const range = daysOf(asked.time_range)
    const days = daysBetween(range.from, range.to)
    if (days.length > REPORT_DAYS_MAX) {
      throw new AppError('badInput', { reason: outcome('report_days_many', { max: REPORT_DAYS_MAX }) })
    }
    const keys = visibleMetrics(TREND_KEYS, viewer).filter(isTrendKey)
    const seen = await seenActivities(db, viewer.adv_ids, asked.campaign_id)
    const plans = await planReads(db, keys.length === 0 ? [] : seen)
    const activityOf = new Map(plans.map(({ id, campaign_id }) => [id, campaign_id]))
    const found: (readonly [number, SumsByDay])[] = []
    for (const [adv_id, linked] of Map.groupBy(linkedOf(plans), (plan) => plan.adv_id)) {
      const groups = namesOf(linked).map(({ id, name }) => ({ no: activityOf.get(id) as number, plan: name }))
      found.push(...(await sumsOfGroups(live, { adv_id, ...range, metrics: TREND_SUMS }, groups)))
    }
    const byActivity = new Map(found)
    const shown = new Set(seen)
    const list = [...new Set(asked.campaign_id)].flatMap((campaign_id): ActivityTrend[] => {
      if (!shown.has(campaign_id)) return []
      const byDay = byActivity.get(campaign_id)
      const line = (key: (typeof keys)[number]) => days.map((day) => metricValue(key, byDay?.get(day) ?? {}))
      return [{ campaign_id, ...Object.fromEntries(keys.map((key) => [key, line(key)])) }]
    })
    return { days, list }
  }
}
