import type { Outcome, OutcomeCode, ParamsOf } from '../outcome.ts'

/**
 * Makes an outcome; the compiler requires its params. Worker threads import this file instead of `outcome.ts`, whose
 * schemas would take as long to load as the rest of a thread.
 */
export const outcome = <C extends OutcomeCode>(
  code: C,
  ...[params]: Record<string, never> extends ParamsOf<C> ? [params?: ParamsOf<C>] : [params: ParamsOf<C>]
): Outcome => ({ code, params: params ?? {} }) as Outcome
