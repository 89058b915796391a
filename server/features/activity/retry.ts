import { hasEnded } from '#contract/activity/status.ts'
import { outcome } from '#contract/outcome.ts'
import { PLATFORM_CODES } from '#contract/platform.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { now } from '../../time/clock.ts'
import { dayOf } from '../../time/day.ts'
import { changeActivity, editedPlans } from './activities.ts'
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
      const owner = await db
        .selectFrom('campaign_plan')
        .innerJoin('campaign', 'campaign.id', 'campaign_plan.campaign_id')
        .select(['campaign.id', 'campaign.adv_id'])
        .where('campaign_plan.id', '=', id)
        .where('campaign_plan.deleted_at', 'is', null)
        .where('campaign.deleted_at', 'is', null)
        .executeTakeFirst()
      if (!owner || !viewer.isMember(owner.adv_id)) throw new AppError('notFound', { what: '计划' })
      await changeActivity(db, viewer, owner.id, async (tx, row) => {
        const plan = (await editedPlans(tx, row.id)).find((one) => one.id === id)
        if (!plan) throw new AppError('notFound', { what: '计划' })
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
