import { hasEnded } from '#contract/activity/status.ts'
import { outcome } from '#contract/outcome.ts'
import { PLATFORM_CODES } from '#contract/platform.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { now } from '../../time/clock.ts'
import { dayOf } from '../../time/day.ts'
import { changePlan } from './activities.ts'
import type { ActivityDeps } from './deps.ts'
import { missingThings } from './plan-checks.ts'
import { mustBeRight } from './save.ts'
import { canRetry } from './there/row.ts'
import type { PlanWants } from './there/want.ts'

/** Asks platforms again for what they refused of plans. */
export function retryPlans({ db, timezone }: Pick<ActivityDeps, 'db' | 'timezone'>, wants: PlanWants) {
  return {
    /** What the plans of each platform can be asked for. */
    planPlatforms: async () => ({
      list: PLATFORM_CODES.map((platform) => ({ platform, creates: wants.creates(platform) })),
    }),

    async retryPlan(viewer: Viewer, id: number): Promise<void> {
      await changePlan(db, viewer, id, async (tx, row, plan) => {
        const there = await wants.standing(tx, id)
        if (!there || !canRetry(there)) {
          throw new AppError('badInput', { reason: outcome('plan_not_under_way') })
        }
        if (there.there_id === null) {
          const of = { adv_id: row.adv_id, campaign_id: row.id, mustDeliver: () => true }
          mustBeRight(await missingThings(tx, [plan], of))
          const delivers = row.is_open === 1 && plan.is_open === 1 && !hasEnded(plan, dayOf(now(), timezone))
          await wants.want(tx, id, { create: true, is_on: delivers ? 1 : 0 }, null)
        } else {
          // What waits for an authorisation is still wanted.
          const { budget = null, parts = [] } = there.refused ?? {}
          await wants.want(tx, id, { ...(budget && { budget }), parts }, null)
        }
        await audit(tx, viewer, 'activity.retry_plan', { id, campaign_id: row.id })
      })
    },
  }
}
