import type { Kysely } from 'kysely'
import { seesPlanAmounts } from '#contract/activity/budget.ts'
import { withoutBid } from '#contract/activity/creation.ts'
import { activityStatus } from '#contract/activity/status.ts'
import { withoutBudgets } from '#contract/activity/there.ts'
import type { ActivityDetail } from '#contract/activity.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { dayOf } from '../../time/day.ts'
import { crowdsOfPlans, mustFindActivity, planOf, plansOf } from './activities.ts'
import { namesOf } from './log.ts'
import { shownPlan, thereOf } from './there/row.ts'

/** One activity with its plans, as it is edited. */
export async function detailOf(
  db: Kysely<Database>,
  viewer: Viewer,
  id: number,
  timezone: string,
): Promise<ActivityDetail> {
  const row = await mustFindActivity(db, viewer, id)
  const named = await db
    .selectFrom('advertiser')
    .leftJoin('campaign_product as product', (join) =>
      join.onRef('product.adv_id', '=', 'advertiser.id').on('product.id', '=', row.product_id ?? 0),
    )
    .select(['advertiser.name as advertiser_name', 'product.name as product_name'])
    .where('advertiser.id', '=', row.adv_id)
    .executeTakeFirstOrThrow()
  const today = dayOf(now(), timezone)
  const activity = { is_submitted: row.submitted_at !== null, is_open: row.is_open }
  const plans = await plansOf(db, [id])
  const crowds = await crowdsOfPlans(
    db,
    plans.map((plan) => plan.id),
  )
  const there = await thereOf(
    db,
    plans.map((plan) => plan.id),
  )
  const names = await namesOf(db, id)
  const { name, is_open, auto_sync, adv_id, product_id, ver } = row
  const sees_amounts = seesPlanAmounts(viewer, adv_id)
  return {
    ...{ id, name, is_open, auto_sync, advertiser_id: adv_id, product_id, ver, ...named },
    status: activityStatus(activity, row.last_day, today),
    sees_amounts,
    plans: plans.map((plan) => {
      const edited = planOf(plan, crowds)
      const shown = shownPlan(activity, plan, there.get(plan.id), today)
      return {
        ...edited,
        ...shown,
        ...(!sees_amounts && {
          budget: null,
          creation: edited.creation && withoutBid(edited.creation),
          sync: { ...shown.sync, told: withoutBudgets(shown.sync.told) },
        }),
        is_local: plan.plan_id === null && plan.creation === null,
        account_name: names.get(plan.id)?.account ?? null,
        package_name: names.get(plan.id)?.package ?? null,
        crowds: crowds.filter(({ plan_id }) => plan_id === plan.id).map(({ plan_id: _, ...crowd }) => crowd),
      }
    }),
  }
}
