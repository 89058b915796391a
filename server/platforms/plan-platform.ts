import type { DaysThere, PlanBudget, PlanParts, PlatformPlan, WantedPlan } from '#contract/activity/there.ts'
import { audienceName, type NameLimit, shorten } from './audience-name.ts'
import type { AccountSession, StepHooks } from './audience-platform.ts'

/** An account's session, with what proves who makes changes where the platform asks for that. */
export interface PlanSession extends AccountSession {
  /** Social: the operator's real-name token; null where none was given. */
  user_token: string | null
}

/** The calls that create plans. `make` looks for nothing: whoever repeats it after a lost answer calls `find` first. */
export interface PlanCreating {
  /** Seconds after which `find` sees a plan whose creation had no answer. */
  listedWithin: number
  /** The platform's id of the plan that an earlier `make` created; null where there is none. */
  find(account: PlanSession, wanted: WantedPlan, on: StepHooks): Promise<string | null>
  /** Creates it, switched off where the platform lets it begin so. Returns the platform's id. */
  make(account: PlanSession, wanted: WantedPlan, on: StepHooks): Promise<string>
}

/**
 * The calls for the plans of a platform. A repeated change does nothing more. All throw PlatformFault: 'gone' for a plan
 * that is not there (any more) or is not the account's.
 */
export interface PlatformPlans {
  /** Scopes that the account must have been granted for these calls. */
  scopes: readonly string[]
  /** Whether changes need the operator's real-name token. */
  needsOperator: boolean
  /** Whether a plan's first day stays what it was created with. */
  startIsFixed: boolean
  /** At most 100 plans by their ids; those that are not there (any more) are missing. */
  read(account: PlanSession, ids: readonly string[], on: StepHooks): Promise<PlatformPlan[]>
  switch(account: PlanSession, plan_id: string, is_on: boolean, on: StepHooks): Promise<void>
  /** The mode is one that the plan has there already, or that the platform lets change. */
  setBudget(account: PlanSession, plan_id: string, budget: PlanBudget, on: StepHooks): Promise<void>
  /** Writes the parts that are given; a first day that is fixed is left out. */
  update(account: PlanSession, plan_id: string, parts: Partial<PlanParts>, on: StepHooks): Promise<void>
  /** Null where plans are not created: they can then only be linked. */
  create: PlanCreating | null
}

/** A plan's name on its platform; the mark is never cut. */
export const planName = ({ name, mark }: PlanParts['title'], limit: NameLimit): string =>
  mark === null ? shorten(name, limit) : audienceName(name, mark, limit, true)

/** The days that a platform says of a plan, which may come with a time of day; '' and what is no day are none. */
export const daysThere = (start: string | null | undefined, end: string | null | undefined): DaysThere => ({
  start: dayIn(start),
  end: dayIn(end),
})
const dayIn = (said: string | null | undefined): string | null => /^[1-9]\d{3}-\d\d-\d\d/.exec(said ?? '')?.[0] ?? null

/** Hours as they are written where always has to be said. */
export const ALWAYS = '1'.repeat(336)
