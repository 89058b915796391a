import type { PlatformFault } from './audience-platform.ts'

const BACK_OFF_MOST = 600
/** Seconds for which a platform that refuses for now, without saying until when, is left alone. */
const NOT_YET_SECONDS = 3600

/**
 * Whole seconds until a call is tried again, at least one: what the platform asked for, and never sooner than twice the
 * wait before, up to ten minutes. `attempts` counts the calls that failed; `pace` shortens every wait in tests.
 */
export function secondsUntilRetry(fault: PlatformFault, attempts: number, pace: number): number {
  const seconds =
    fault.kind === 'notYet'
      ? (fault.retryAfter ?? NOT_YET_SECONDS)
      : Math.max(fault.retryAfter ?? 0, Math.min(BACK_OFF_MOST, 2 ** Math.min(attempts, 10)))
  return Math.max(1, Math.ceil(seconds * pace))
}
