import type { AnyOutcome } from '../outcomes/entry.ts'
import { outcome } from '../outcomes/make.ts'
import type { BudgetMode } from './budget.ts'
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

/** A plan as it stands on its platform. */
export interface PlatformPlan extends PlanThere {
  plan_id: string
  name: string
  /** The same numbers as of our plans; what its platform calls them is said by the plan's type. */
  status: ActivityStatus
}

interface Ours {
  /** Whether it is to deliver: its own switch and its activity's are on, and its days are not over. */
  delivers: boolean
  budget_mode: BudgetMode
  /** Fen. */
  budget: number | null
}

/** In what a plan on its platform is not what it is here; `there` is null where it was deleted. */
export function differencesThere(ours: Ours, there: PlanThere | null): AnyOutcome[] {
  if (there === null) return [outcome('plan_gone_there')]
  const { is_on, budget } = there
  return [
    ...(ours.delivers && !is_on ? [outcome('plan_stopped_there')] : []),
    ...(!ours.delivers && is_on ? [outcome('plan_runs_there')] : []),
    ...(isSameBudget({ mode: ours.budget_mode, fen: ours.budget }, budget)
      ? []
      : [outcome('plan_budget_is_there', { mode: budget.mode, fen: budget.fen })]),
  ]
}

export const isSameBudget = (one: PlanThere['budget'], other: PlanThere['budget']): boolean =>
  one.mode === other.mode && (one.mode === 'none' || one.fen === other.fen)
