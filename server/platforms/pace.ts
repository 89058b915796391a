import { setTimeout as sleep } from 'node:timers/promises'
import { outcome } from '#contract/outcome.ts'
import { PlatformFault } from './audience-platform.ts'

/** Longer waits become a fault 'later', so that a waiting account occupies no worker. */
const PATIENCE_MS = 2000
/** Seconds of the first wait when a platform throttles without saying for how long. */
const FIRST_WAIT = 2
/** Held keys are swept once there are this many. */
const SWEEP_AT = 10_000

/** Monotonic, so that setting the time of day changes no wait. */
const steadyMs = () => performance.now()

export type Pace = ReturnType<typeof openPace>

/**
 * Limits how often each key (an account, an interface, an account's interface) is called, and stops calls while a
 * platform has asked to wait. It covers only this process; with several, refusals by the platform do the rest.
 */
export function openPace({ perSecond, nowMs = steadyMs }: { perSecond: number; nowMs?: () => number }) {
  const interval = 1000 / perSecond
  /** When the next call of a key may start. */
  const free = new Map<string, number>()
  /** Consecutive refusals of a key, and the end of the wait after the last one, ms. */
  const refusals = new Map<string, { times: number; until: number }>()

  const sweep = () => {
    if (free.size < SWEEP_AT) return
    const now = nowMs()
    for (const [key, at] of free) if (at <= now) free.delete(key)
  }

  const hold = (key: string, seconds: number): void => {
    free.set(key, Math.max(free.get(key) ?? 0, nowMs() + seconds * 1000))
  }

  return {
    /** Waits for the turn of `own`, and until no key in `also` is held. */
    async enter(own: string, also: readonly string[], signal?: AbortSignal): Promise<void> {
      signal?.throwIfAborted()
      const now = nowMs()
      const at = Math.max(now, free.get(own) ?? 0, ...also.map((key) => free.get(key) ?? 0))
      if (at - now > PATIENCE_MS) {
        throw new PlatformFault('later', outcome('platform_throttled_for_long'), {
          retryAfter: Math.ceil((at - now) / 1000),
        })
      }
      free.set(own, at + interval)
      sweep()
      if (at <= now) return
      await sleep(at - now, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted())
    },
    /** Holds the key: no calls for so many seconds. */
    hold,
    /** The same, doubling with each consecutive refusal; returns the seconds. */
    backOff(key: string, mostSeconds: number): number {
      const { times, until } = refusals.get(key) ?? { times: 0, until: 0 }
      const left = until - nowMs()
      // Calls made at the same time are refused together and count as one refusal.
      if (left > 0) return Math.ceil(left / 1000)
      const seconds = Math.min(mostSeconds, FIRST_WAIT * 2 ** times)
      refusals.set(key, { times: times + 1, until: nowMs() + seconds * 1000 })
      hold(key, seconds)
      return seconds
    },
    /** A call under these keys succeeded. */
    taken(keys: readonly string[]): void {
      for (const key of keys) refusals.delete(key)
    },
  }
}
