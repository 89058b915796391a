import { keysOf } from '../common.ts'
import type { AnyOutcome } from '../outcomes/entry.ts'
import { outcome } from '../outcomes/make.ts'
import { type Platform, type PlatformCode, platformOfCode } from '../platform.ts'

/** How a plan's budget is meant. */
export const BUDGET_MODES = { day: '日预算', total: '总预算', none: '不限' } as const
export type BudgetMode = keyof typeof BUDGET_MODES
export const BUDGET_MODE_KEYS = keysOf(BUDGET_MODES)

/** Stands for an amount that a viewer may not see. */
export const AMOUNT_HIDDEN = '无权查看'

interface BudgetRules {
  modes: readonly BudgetMode[]
  /** Fen, both included. */
  min: number
  max: number
  /** What the platform itself takes, where that is narrower: it would refuse other amounts, so they are pointed out. */
  there: { min: number; max: number } | null
}

const yuan = (amount: number) => Math.round(amount * 100)

/** The console's own bounds, for a platform of which nothing else is known. */
const ANYWHERE: BudgetRules = { modes: ['day', 'none'], min: yuan(50), max: yuan(40_000_000), there: null }

/** What a plan may spend on a platform, where that differs. */
const BUDGETS: Partial<Record<Platform, BudgetRules>> = {
  social: {
    modes: ['day', 'none'],
    min: yuan(50),
    max: yuan(40_000_000),
    there: { min: yuan(50), max: yuan(4_000_000) },
  },
  // The platform's bounds follow from how a project bids, which is chosen there; no project takes less than 100 yuan.
  video: {
    modes: ['day', 'none'],
    min: yuan(50),
    max: yuan(40_000_000),
    there: { min: yuan(100), max: yuan(9_999_999.99) },
  },
  commerce: { modes: ['day', 'total'], min: yuan(300), max: yuan(9_999_999.99), there: null },
}

/** The largest budget of any platform, in fen. */
export const BUDGET_MAX = Math.max(...[ANYWHERE, ...Object.values(BUDGETS)].map(({ max }) => max))

export const budgetRules = (platform: PlatformCode): BudgetRules => BUDGETS[platformOfCode(platform)] ?? ANYWHERE

interface Budget {
  platform: PlatformCode
  budget_mode: BudgetMode
  /** Fen; null without one. Not whole where more than two decimals were typed. */
  budget: number | null
}

/** Why a plan's budget is refused. */
export function budgetFault({ platform, budget_mode, budget }: Budget): AnyOutcome | null {
  const { modes, min, max } = budgetRules(platform)
  if (!modes.includes(budget_mode)) return outcome('plan_budget_mode', { platform, mode: budget_mode })
  if (budget_mode === 'none') return null
  if (budget === null) return outcome('plan_budget_missing')
  if (!Number.isInteger(budget)) return outcome('plan_budget_decimals')
  return budget < min || budget > max ? outcome('plan_budget_bounds', { min, max }) : null
}

/** Why a budget that was typed is refused of a draft, too: no call takes it. */
export function budgetContradiction(plan: Budget): AnyOutcome | null {
  const { budget_mode, budget } = plan
  if (budget_mode === 'none' || budget === null) return null
  return Number.isInteger(budget) && budget > 0 && budget <= BUDGET_MAX ? null : budgetFault(plan)
}

/** What is said beside a budget that is kept here but that its platform would not take. */
export function budgetNotice(plan: Budget): AnyOutcome | null {
  const { there } = budgetRules(plan.platform)
  if (there === null || plan.budget_mode === 'none' || plan.budget === null || budgetFault(plan)) return null
  const { platform, budget } = plan
  return budget < there.min || budget > there.max ? outcome('plan_budget_there', { platform, ...there }) : null
}

/**
 * Whether a viewer sees what the plans of an advertiser may spend, as they are edited and in the log: as part of the
 * restricted metrics, or because whoever may change a plan must see its settings.
 */
export const seesPlanAmounts = (
  viewer: { see_restricted: boolean; read_only_adv_ids: readonly number[] },
  adv_id: number,
): boolean => viewer.see_restricted || !viewer.read_only_adv_ids.includes(adv_id)

/** The budgets of plans together, those without a limit left out; null where none has one. */
export function budgetOf(plans: readonly Pick<Budget, 'budget_mode' | 'budget'>[]): number | null {
  const given = plans.flatMap(({ budget_mode, budget }) => (budget_mode === 'none' || budget === null ? [] : [budget]))
  return given.length === 0 ? null : given.reduce((sum, one) => sum + one, 0)
}

/** Of these, the budgets for the whole time of their plans. */
export const totalBudgetOf = (plans: Parameters<typeof budgetOf>[0]): number | null =>
  budgetOf(plans.filter(({ budget_mode }) => budget_mode === 'total'))

/** What a row says of budgets; fen. */
export interface RowBudgets {
  budget?: number | null | undefined
  /** The part of it that is for the whole time of its plans. */
  budget_total?: number | null | undefined
}

/** The budgets of a day and those of the whole time, which say nothing together; null where no plan has one. */
export function budgetParts({ budget, budget_total }: RowBudgets): { day: number | null; total: number | null } {
  const total = budget_total ?? null
  const day = (budget ?? 0) - (total ?? 0)
  return { day: day > 0 ? day : null, total }
}
