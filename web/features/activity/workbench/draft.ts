import { budgetRules } from '#contract/activity/budget.ts'
import { keptCreation, newCreation } from '#contract/activity/creation.ts'
import type { Plan } from '#contract/activity/plan.ts'
import type { ActivityDetail } from '#contract/activity.ts'
import type { PlanSync, SavedPlan } from '#contract/activity-plan.ts'
import { PLATFORMS, type PlatformCode } from '#contract/platform.ts'
import { localId } from '../../../lib/local-id.ts'
import { today } from '../../../lib/zone.ts'

/** A plan in the workbench, with the names of what it uses. */
export interface PlanDraft extends Plan {
  key: string
  account: { id: number; name: string; external_id?: string | undefined } | null
  package_name: string | null
  /** The operator's token was saved in this form; it is kept with the account. */
  operator_saved?: boolean
  /** Its amounts are not for this viewer, who may not change it either. */
  hides_amounts?: boolean
  /** With its platform; missing in one that was not saved yet. */
  sync?: PlanSync
  crowds: { id: number; role: 'include' | 'exclude'; name: string }[]
}

/** An activity in the workbench. */
export interface Draft {
  name: string
  product_id: number | null
  /** Whether the platform's numbers are read daily. */
  auto_sync: 0 | 1
  plans: PlanDraft[]
}

export const emptyDraft = (): Draft => ({ name: '', product_id: null, auto_sync: 1, plans: [] })

/** A plan that begins today with the platform's first way of budgeting. */
export const newPlan = (platform: PlatformCode = PLATFORMS.video.code, no: number): PlanDraft => ({
  key: localId(),
  name: `计划${no}`,
  platform,
  account_id: null,
  account: null,
  plan_id: null,
  creation: null,
  package_id: null,
  package_name: null,
  crowds: [],
  budget_mode: budgetRules(platform).modes[0] ?? 'day',
  budget: null,
  start_date: today(),
  end_date: null,
  hours: null,
  is_open: 1,
})

/** On another platform nothing of the account, and perhaps not the way of budgeting, stays. */
export const onPlatform = (plan: PlanDraft, platform: PlatformCode): PlanDraft => ({
  ...onAccount(plan, null),
  platform,
  creation: plan.creation && newCreation(platform),
  budget_mode: budgetRules(platform).modes.includes(plan.budget_mode)
    ? plan.budget_mode
    : (budgetRules(platform).modes[0] ?? 'day'),
})

/** On another account there are other packages, crowds, plans and products. */
export const onAccount = (plan: PlanDraft, account: PlanDraft['account']): PlanDraft => ({
  ...plan,
  account,
  account_id: account?.id ?? null,
  package_id: null,
  package_name: null,
  operator_saved: false,
  crowds: [],
  // Reports of no account name a plan before its account is chosen.
  plan_id: plan.account_id === null ? plan.plan_id : null,
  creation: plan.creation && newCreation(plan.platform),
})

export const draftOf = ({ name, product_id, auto_sync, plans, sees_amounts }: ActivityDetail): Draft => ({
  name,
  product_id,
  auto_sync,
  plans: plans.map(
    ({ type: _t, status: _s, plan_status_name: _n, is_local: _l, sync, account_name, crowds, ...plan }): PlanDraft => ({
      ...plan,
      sync,
      hides_amounts: !sees_amounts,
      key: String(plan.id),
      account: plan.account_id === null ? null : { id: plan.account_id, name: account_name ?? '' },
      crowds: crowds.map(({ id, role, name: crowd }) => ({ id, role, name: crowd })),
    }),
  ),
})

/** What a call saves. */
export const savedOf = ({ name, product_id, auto_sync, plans }: Draft) => ({
  name,
  product_id,
  auto_sync,
  plans: plans.map(
    ({
      key: _k,
      account: _a,
      package_name: _p,
      operator_saved: _o,
      hides_amounts: _h,
      sync: _y,
      crowds,
      id,
      ...plan
    }): SavedPlan => ({
      ...plan,
      ...(id === undefined ? {} : { id }),
      budget: plan.budget_mode === 'none' ? null : plan.budget,
      creation: plan.creation && keptCreation(plan.creation),
      crowds: crowds.map(({ id: crowd, role }) => ({ id: crowd, role })),
    }),
  ),
})

/** Whether a save would change something. */
export const isSame = (one: Draft, other: Draft): boolean =>
  JSON.stringify(savedOf(one)) === JSON.stringify(savedOf(other))
