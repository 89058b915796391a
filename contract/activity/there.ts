import type { AnyOutcome } from '../outcomes/entry.ts'
import { outcome } from '../outcomes/make.ts'
import type { BudgetMode } from './budget.ts'
import type { PlanCreation } from './creation.ts'
import type { ActivityStatus } from './status.ts'

export interface PlanBudget {
  mode: BudgetMode
  /** Fen; null without a limit. */
  fen: number | null
}

/** What a platform says of a plan that people may change on both sides. */
export interface PlanThere {
  /** Its own switch there. */
  is_on: boolean
  budget: PlanBudget
}

/** The first and the last day of a plan on its platform, YYYY-MM-DD; null where it says none. */
export interface DaysThere {
  start: string | null
  end: string | null
}

/** What people may change of a plan on the platform's own pages, beside its switch and its budget. */
export interface FaceThere {
  name: string
  /** Missing in what was read before days were. */
  days?: DaysThere
}

/** A plan as it stands on its platform. */
export interface PlatformPlan extends PlanThere, FaceThere {
  plan_id: string
  /** The same numbers as of our plans; what its platform calls them is said by the plan's type. */
  status: ActivityStatus
}

/** Whom a plan is shown to: a package, crowds, or both, whose crowds then count together. */
export interface PlanTargeting {
  /** What the package restricts; null without a package. */
  package: Readonly<Record<string, unknown>> | null
  /** The platform's id of a package that holds the same there; null: its content is sent with the plan. */
  package_id: string | null
  /** Our audiences, by the platform's ids. */
  include: readonly string[]
  exclude: readonly string[]
}

/** What of a plan can be changed once it is on its platform, beside its switch and its budget. */
export interface PlanParts {
  /** `mark`: unique, at the end of the names of plans that were created by us; null for others. */
  title: { name: string; mark: string | null }
  /** The first day, YYYY-MM-DD. */
  start: string
  /** The last day; null: without an end. */
  end: string | null
  /** 336 signs of half hours from Monday on; null: always. */
  hours: string | null
  targeting: PlanTargeting
}
export type PlanPart = keyof PlanParts
export const PLAN_PARTS: readonly PlanPart[] = ['title', 'start', 'end', 'hours', 'targeting']

/** A plan that is to be created on its platform. */
export interface WantedPlan extends PlanParts {
  /** Unique for ever: 1 to 40 digits, letters and `-`. Part of the platform's idempotency key where it has one. */
  key: string
  title: { name: string; mark: string }
  budget: PlanBudget
  creation: PlanCreation
}

interface Ours {
  /** Whether it is to deliver: its own switch and its activity's are on, and its days are not over. */
  delivers: boolean
  budget_mode: BudgetMode
  /** Fen. */
  budget: number | null
}

/** Our name and days of a plan that we created. */
interface OwnFace {
  name: string
  start_date: string | null
  end_date: string | null
  mark: string | null
}

/** A name as it is without the mark that we gave it. */
export const unmarked = (name: string, mark: string | null): string =>
  mark !== null && name.endsWith(`_${mark}`) ? name.slice(0, -mark.length - 1) : name

/**
 * What was changed of a plan on its platform since we wrote it last. `agreed`: how it stood there then; null for a plan of
 * which we wrote nothing, which may differ for a reason. What is ours by now is no change.
 */
export function changedThere(ours: OwnFace, agreed: FaceThere | null, found: FaceThere | null): Partial<FaceThere> {
  if (agreed === null || found === null) return {}
  const isRenamed = found.name !== agreed.name && unmarked(found.name, ours.mark) !== ours.name
  const isMoved = (which: keyof DaysThere, own: string | null) =>
    found.days !== undefined &&
    agreed.days !== undefined &&
    found.days[which] !== agreed.days[which] &&
    found.days[which] !== own
  const hasOtherDays = isMoved('start', ours.start_date) || isMoved('end', ours.end_date)
  return { ...(isRenamed && { name: found.name }), ...(hasOtherDays && found.days && { days: found.days }) }
}

/** In what a plan on its platform is not what it is here; `there` is null where it was deleted. */
export function differencesThere(
  ours: Ours,
  there: PlanThere | null,
  { name, days }: Partial<FaceThere> = {},
): AnyOutcome[] {
  if (there === null) return [outcome('plan_gone_there')]
  const { is_on, budget } = there
  return [
    ...(ours.delivers && !is_on ? [outcome('plan_stopped_there')] : []),
    ...(!ours.delivers && is_on ? [outcome('plan_runs_there')] : []),
    ...(isSameBudget({ mode: ours.budget_mode, fen: ours.budget }, budget)
      ? []
      : [outcome('plan_budget_is_there', { mode: budget.mode, fen: budget.fen })]),
    ...(name === undefined ? [] : [outcome('plan_name_is_there', { name })]),
    ...(days === undefined ? [] : [outcome('plan_days_are_there', { start: days.start, end: days.end })]),
  ]
}

/** The same without the amount of a budget, for viewers who may not see budgets. */
export const withoutBudgets = (told: readonly AnyOutcome[]): AnyOutcome[] =>
  told.map((one) => (one.code === 'plan_budget_is_there' ? outcome('plan_budget_differs_there') : one))

export const isSameBudget = (one: PlanThere['budget'], other: PlanThere['budget']): boolean =>
  one.mode === other.mode && (one.mode === 'none' || one.fen === other.fen)
