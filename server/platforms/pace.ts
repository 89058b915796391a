import { setTimeout as sleep } from 'node:timers/promises'
import { outcome } from '#contract/outcome.ts'
import { PlatformFault } from './audience-platform.ts'

/** Longer waits that a platform asked for become a fault 'later', so that a waiting account occupies no worker. */
const PATIENCE_MS = 2000
/** So long a call waits behind others of its account, which only takes as long as our own limit says. */
const QUEUE_MS = 10_000
/** Seconds of the first wait when a platform throttles without saying for how long. */
const FIRST_WAIT = 2
/** How long a limit of a day, or of some hours, stops calls: a retry asks the platform again after this. */
const LIMIT_HOLD_SECONDS = 60
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
  /** When the next call of a key may start by our own limit. */
  const free = new Map<string, number>()
  /** Until when a platform has asked to wait. */
  const held = new Map<string, number>()
  /** Limits that platforms named: the fault, and when it ends, ms. */
  const limits = new Map<string, { fault: PlatformFault; until: number }>()
  /** Consecutive refusals of a key, and the end of the wait after the last one, ms. */
  const refusals = new Map<string, { times: number; until: number }>()

  const sweep = () => {
    if (free.size + held.size < SWEEP_AT) return
    const now = nowMs()
    for (const times of [free, held]) for (const [key, at] of times) if (at <= now) times.delete(key)
    for (const [key, { until }] of limits) if (until <= now) limits.delete(key)
  }

  const hold = (key: string, seconds: number): void => {
    held.set(key, Math.max(held.get(key) ?? 0, nowMs() + seconds * 1000))
  }

  /** The fault of a call that is not made: the limit that holds a key, or only that others wait too. */
  const heldFault = (keys: readonly string[], now: number, waitMs: number): PlatformFault => {
    const limit = keys.flatMap((key) => limits.get(key) ?? []).find(({ until }) => until > now)
    const retryAfter = Math.ceil(((limit ? limit.until : now + waitMs) - now) / 1000)
    if (!limit) return new PlatformFault('later', outcome('platform_throttled_for_long'), { retryAfter })
    const { kind, outcome: reason, code } = limit.fault
    return new PlatformFault(kind, reason, { code, retryAfter })
  }

  return {
    /** Waits for the turn of `own`, and until no key in `also` is held. */
    async enter(own: string, also: readonly string[], signal?: AbortSignal): Promise<void> {
      signal?.throwIfAborted()
      const now = nowMs()
      const asked = Math.max(now, ...[own, ...also].map((key) => held.get(key) ?? 0))
      const at = Math.max(asked, free.get(own) ?? 0)
      if (asked - now > PATIENCE_MS || at - now > QUEUE_MS) throw heldFault([own, ...also], now, at - now)
      free.set(own, at + interval)
      sweep()
      if (at <= now) return
      await sleep(at - now, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted())
    },
    /** Holds the key: no calls for so many seconds. */
    hold,
    /** Holds the key for a limit that ends after so many seconds. Calls that are not made meanwhile fail as this one did. */
    holdForLimit(key: string, seconds: number, fault: PlatformFault): void {
      limits.set(key, { fault, until: nowMs() + seconds * 1000 })
      hold(key, Math.min(seconds, LIMIT_HOLD_SECONDS))
    },
    /** The same as `hold`, doubling with each consecutive refusal; returns the seconds. */
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
      for (const key of keys) {
        refusals.delete(key)
        limits.delete(key)
      }
    },
  }
}
