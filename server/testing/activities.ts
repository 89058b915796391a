import type { z } from 'zod'
import { createActivity } from '#contract/activity.ts'
import type { SavedPlan } from '#contract/activity-plan.ts'
import { keepReading, type PlanDay } from '../reports/readings.ts'
import { now } from '../time/clock.ts'
import type { TestApp } from './test-app.ts'

let made = 0

/** A plan that is complete, with what is given. */
export const aPlan = (given: Partial<SavedPlan> & Pick<SavedPlan, 'platform'>): SavedPlan => ({
  name: `计划${++made}`,
  budget_mode: 'day',
  budget: 50_000,
  start_date: '2026-01-01',
  ...given,
})

/** A submitted activity, or what is given. */
export const anActivity = (
  app: TestApp,
  advertiser_id: number,
  given: Partial<z.input<typeof createActivity.body>> = {},
) =>
  app.admin
    .get(createActivity, { body: { advertiser_id, name: `活动${++made}`, submit: true, ...given } })
    .then(({ id }) => id)

let version = 0
/** What the platform says of an account's plans on a day; amounts in millionths of a yuan. */
export const aReading = (
  app: TestApp,
  adv_id: number,
  account_id: string,
  date: string,
  plans: readonly (Omit<PlanDay, 'campaign_id'> & { campaign_id?: string })[],
) =>
  keepReading(app.stores.warehouse.load, {
    adv_id,
    account_id,
    date,
    version: ++version,
    taken_at: now(),
    plans: plans.map((plan) => ({ campaign_id: 'c', ...plan })),
  })
