import type { AnyOutcome } from '../outcomes/entry.ts'
import { outcome } from '../outcomes/make.ts'
import { isAudienceCode, type PlatformCode } from '../platform.ts'
import { type BudgetMode, budgetContradiction, budgetFault } from './budget.ts'
import { creationContradiction, creationFaults, type PlanCreation } from './creation.ts'
import { scheduleFaults } from './schedule.ts'
import type { Switch } from './status.ts'

/** The most plans of an activity, and the most crowds of a plan: the platforms take no more than 200 crowds. */
export const PLANS_MAX = 100
export const PLAN_CROWDS_MAX = 200

export const CROWD_ROLES = { include: '定向', exclude: '排除' } as const
export type CrowdRole = keyof typeof CROWD_ROLES

/** A plan as it is edited and saved. */
export interface Plan {
  /** Missing in one that was not saved yet. */
  id?: number | undefined
  name: string
  platform: PlatformCode
  account_id: number | null
  /** The platform's own id of a plan that exists there; null: it is not there yet, or only kept here. */
  plan_id: string | null
  /** How it is created on its platform; null where it is not created by us. */
  creation: PlanCreation | null
  package_id: number | null
  /** Audiences of our crowds on the account. */
  crowds: readonly { id: number; role: CrowdRole }[]
  budget_mode: BudgetMode
  /** Fen. */
  budget: number | null
  start_date: string | null
  end_date: string | null
  hours: string | null
  is_open: Switch
}

/** What is wrong with a plan of any activity, drafts included. */
function contradictions(plan: Plan): AnyOutcome[] {
  const { platform, crowds } = plan
  const faults: AnyOutcome[] = creationContradiction(plan)
  if (crowds.length > 0 && !isAudienceCode(platform)) faults.push(outcome('plan_crowds_none_there', { platform }))
  if (new Set(crowds.map(({ id }) => id)).size < crowds.length) faults.push(outcome('plan_crowd_twice'))
  if (crowds.length > PLAN_CROWDS_MAX) faults.push(outcome('plan_crowds_many', { max: PLAN_CROWDS_MAX }))
  return faults
}

/** A platform that takes no crowds lets nothing but a package be chosen. */
const targetFaults = ({ platform, package_id, crowds }: Plan): AnyOutcome[] =>
  package_id !== null || crowds.length > 0
    ? []
    : [isAudienceCode(platform) ? outcome('plan_target_missing') : outcome('plan_package_missing')]

/** What a plan of a submitted activity lacks besides. */
function incompleteness(plan: Plan, today: string, keptEnd: string | null): AnyOutcome[] {
  const budget = budgetFault(plan)
  return [
    ...(plan.account_id === null ? [outcome('plan_account_missing')] : []),
    ...targetFaults(plan),
    ...(budget ? [budget] : []),
    ...scheduleFaults(plan, today, keptEnd),
    // What was created already is not created again.
    ...(plan.plan_id === null ? creationFaults(plan, today) : []),
  ]
}

const ofPlan = ({ name }: Plan, causes: readonly AnyOutcome[]): AnyOutcome[] =>
  causes.map((cause) => outcome('plan_fault', { plan: name, cause }))

/**
 * Ids, names and platform ids that a later plan of the list has, too: of two with one id the first would be lost, and on the
 * platform a plan is counted once.
 */
export function repeatedFaults(plans: readonly Pick<Plan, 'id' | 'name' | 'account_id' | 'plan_id'>[]): AnyOutcome[] {
  const faults: AnyOutcome[] = []
  const ids = new Set<number>()
  const names = new Set<string>()
  const linked = new Set<string>()
  for (const { id, name, account_id, plan_id } of plans) {
    if (id !== undefined && ids.has(id)) faults.push(outcome('plan_twice', { id, plan: name }))
    if (id !== undefined) ids.add(id)
    if (names.has(name)) faults.push(outcome('plan_name_twice', { name }))
    names.add(name)
    if (plan_id === null) continue
    const key = `${account_id} ${plan_id}`
    if (linked.has(key)) faults.push(outcome('plan_linked_twice', { plan_id }))
    linked.add(key)
  }
  return faults
}

interface Saving {
  isSubmitted: boolean
  today: string
  /** The last days that saved plans have, by their ids. */
  ends?: ReadonlyMap<number, string | null>
}

/** What keeps one plan from being saved, beside its name. */
export function planFaults(plan: Plan, { isSubmitted, today, ends }: Saving): AnyOutcome[] {
  const kept = plan.id === undefined ? null : (ends?.get(plan.id) ?? null)
  if (isSubmitted) return [...contradictions(plan), ...incompleteness(plan, today, kept)]
  const budget = budgetContradiction(plan)
  return [...contradictions(plan), ...(budget ? [budget] : [])]
}

/** What keeps an activity with these plans from being saved: as a draft, or submitted. */
export function activityFaults(plans: readonly Plan[], saving: Saving): AnyOutcome[] {
  return [
    ...(saving.isSubmitted && plans.length === 0 ? [outcome('activity_without_plans')] : []),
    ...repeatedFaults(plans),
    ...plans.flatMap((plan) => ofPlan(plan, planFaults(plan, saving))),
  ]
}

/** An activity in one refusal; every plan in it is named. */
export const refusalOf = (problems: readonly AnyOutcome[]): AnyOutcome | null =>
  problems.length === 0 ? null : outcome('activity_problems', { problems: [...problems] })

/** A plan for another activity: without its id, its days, and its link to the platform. */
export const copiedPlan = ({ id: _, ...plan }: Plan): Plan => ({
  ...plan,
  plan_id: null,
  start_date: null,
  end_date: null,
})
