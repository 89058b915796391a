import { z } from 'zod'
import { PlatformName } from './platforms.ts'
import type { SwitchBoard } from './switches.ts'
import { accountOf, type Call } from './wire.ts'

/** A fault ordered by a test; it takes precedence over random ones. */
export const OrderedFault = z.strictObject({
  platform: PlatformName,
  /** A part of the call's path. */
  path: z.string().default(''),
  account_id: z.string().optional(),
  /** How many calls it applies to. */
  times: z.int().min(1).default(1),
  /** Calls to let pass first. */
  after: z.int().min(0).default(0),
  /**
   * `slow`: answered after `seconds`. `repeat_page`, `lose_page`: the answer has the rows of the page before or after the
   * one that was asked for.
   */
  kind: z.enum([
    ...(['throttle', 'busy', 'error', 'error_after', 'drop_before', 'drop_after', 'timeout', 'timeout_after'] as const),
    ...(['slow', 'repeat_page', 'lose_page'] as const),
  ]),
  /** The platform's code, for `throttle` and `busy`. */
  code: z.int().optional(),
  /** HTTP status, for `error` and `error_after`. */
  status: z.int().min(400).max(599).optional(),
  seconds: z.number().min(0).optional(),
})
export type OrderedFault = z.infer<typeof OrderedFault>

export interface Fault {
  kind: OrderedFault['kind']
  code: number | null
  status: number
  seconds: number
}

const STATUSES = [500, 502, 503] as const
export type Faults = ReturnType<typeof faultsOf>

/** Decides which fault a call gets. */
export function faultsOf(switches: SwitchBoard) {
  let ordered: OrderedFault[] = []

  function orderedFor(platform: PlatformName, call: Call): Fault | null {
    const account = accountOf(call)
    for (const one of ordered) {
      if (one.platform !== platform || !call.path.includes(one.path)) continue
      if (one.account_id !== undefined && one.account_id !== account) continue
      if (one.after > 0) {
        one.after--
        continue
      }
      one.times--
      ordered = ordered.filter(({ times }) => times > 0)
      return {
        kind: one.kind,
        code: one.code ?? null,
        status: one.status ?? 500,
        seconds: one.seconds ?? switches.now.timeout_seconds,
      }
    }
    return null
  }

  function byChance(): Fault | null {
    const now = switches.now
    const rest = { code: null, status: 500, seconds: now.timeout_seconds }
    if (switches.happens(now.throttle_rate)) return { ...rest, kind: 'throttle' }
    if (switches.happens(now.busy_rate)) return { ...rest, kind: 'busy' }
    if (switches.happens(now.error_rate)) return { ...rest, kind: 'error', status: switches.oneOf(STATUSES) }
    if (switches.happens(now.error_after_rate))
      return { ...rest, kind: 'error_after', status: switches.oneOf(STATUSES) }
    if (switches.happens(now.drop_before_rate)) return { ...rest, kind: 'drop_before' }
    if (switches.happens(now.drop_after_rate)) return { ...rest, kind: 'drop_after' }
    if (switches.happens(now.timeout_rate)) return { ...rest, kind: switches.oneOf(['timeout', 'timeout_after']) }
    return null
  }

  return {
    order(fault: OrderedFault) {
      ordered.push({ ...fault })
    },
    ordered: () => ordered,
    forget() {
      ordered = []
    },
    /** Spares browser pages, and token calls unless they are included. */
    of(platform: PlatformName, call: Call): Fault | null {
      if (/authorize$|\.html$/.test(call.path)) return null
      const certain = orderedFor(platform, call)
      if (certain) return certain
      const isOAuth = /^\/oauth\/|^\/open_api\/oauth2\//.test(call.path)
      return isOAuth && !switches.now.faults_on_oauth ? null : byChance()
    },
  }
}
