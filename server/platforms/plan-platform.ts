import type { PlanBudget, PlatformPlan } from '#contract/activity/there.ts'
import type { AccountSession, StepHooks } from './audience-platform.ts'

/** An account's session, with what proves who makes changes where the platform asks for that. */
export interface PlanSession extends AccountSession {
  /** Social: the operator's real-name token; null where none was given. */
  user_token: string | null
}

/**
 * The calls for plans that exist on a platform. A repeated change does nothing more. All throw PlatformFault: 'gone' for
 * a plan that is not there (any more) or is not the account's.
 */
export interface PlatformPlans {
  /** Scopes that the account must have been granted for these calls. */
  scopes: readonly string[]
  /** Whether changes need the operator's real-name token. */
  needsOperator: boolean
  /** At most 100 plans by their ids; those that are not there (any more) are missing. */
  read(account: PlanSession, ids: readonly string[], on: StepHooks): Promise<PlatformPlan[]>
  switch(account: PlanSession, plan_id: string, is_on: boolean, on: StepHooks): Promise<void>
  /** The mode is one that the plan has there already, or that the platform lets change. */
  setBudget(account: PlanSession, plan_id: string, budget: PlanBudget, on: StepHooks): Promise<void>
}
