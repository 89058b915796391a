import type { PlatformFaultKind } from '../audience-platform.ts'
import { PlatformFault } from '../audience-platform.ts'
import { type HoldScope, refusedWith, type Verdict } from '../call.ts'
import { untilNextDay } from '../platform-day.ts'

interface Meaning {
  kind: PlatformFaultKind
  /** Seconds. */
  wait?: number | 'nextDay'
  hold?: HoldScope
  again?: 'token' | 'changed'
  /** The token itself is refused, which all accounts of its login share. */
  isOfToken?: true
}

/** After a minute limit is exceeded, calls are refused for about five minutes. */
const MINUTE_LIMIT_WAIT = 300
/** A file is processed within minutes; the audience's next file has to wait for it. */
export const FILE_BUSY_WAIT = 30

const unauthorised: Meaning = { kind: 'unauthorised' }
const configuration: Meaning = { kind: 'configuration' }
const inUse: Meaning = { kind: 'inUse' }
const later = (wait: number, hold?: HoldScope): Meaning =>
  hold ? { kind: 'later', wait, hold } : { kind: 'later', wait }

/** Codes that need more than showing the platform's message. */
const MEANINGS: Record<number, Meaning> = {
  10000: later(30),
  10001: later(60),
  11000: { kind: 'unauthorised', again: 'token' },
  11002: { kind: 'unauthorised', isOfToken: true },
  11004: unauthorised,
  11005: unauthorised,
  11007: configuration,
  11008: later(MINUTE_LIMIT_WAIT, 'interface'),
  11009: unauthorised,
  11010: unauthorised,
  11011: unauthorised,
  11012: unauthorised,
  11013: unauthorised,
  11014: unauthorised,
  11016: later(2, 'accountInterface'),
  11017: later(MINUTE_LIMIT_WAIT, 'accountInterface'),
  11018: { kind: 'notYet', wait: 'nextDay', hold: 'accountInterface' },
  11019: later(60, 'accountInterface'),
  11022: later(60),
  11030: configuration,
  12000: configuration,
  12003: configuration,
  12007: configuration,
  12008: configuration,
  12009: configuration,
  12010: { kind: 'configuration', again: 'changed' },
  12100: { kind: 'later', wait: 1, again: 'changed' },
  12101: configuration,
  12201: unauthorised,
  12203: unauthorised,
  12700: later(30),
  18015: configuration,
  31060: { kind: 'configuration', again: 'changed' },
  // The newer number of the same.
  132416: { kind: 'configuration', again: 'changed' },
  36019: later(5),
  50005: { kind: 'gone' },
  50007: { kind: 'nameTaken' },
  50008: { kind: 'quota' },
  50014: later(60),
  50018: later(60, 'accountInterface'),
  50022: inUse,
  50023: inUse,
  50024: inUse,
  50025: inUse,
  50027: inUse,
  50031: later(30),
  50041: later(10),
  51001: later(60),
  54307: later(FILE_BUSY_WAIT),
  64016: later(10, 'accountInterface'),
  69005: { kind: 'gone' },
  71003: configuration,
}

const SYSTEM = { from: 30_000, to: 30_099 }
/** These codes refuse the idempotency header, not the call itself. */
export const REQUEST_ID_UNKNOWN = 12010
export const REQUEST_ID_REFUSED = new Set([REQUEST_ID_UNKNOWN, 31060, 132416])

export interface Failure {
  code: number
  message?: string | null | undefined
  message_cn?: string | null | undefined
  code_type?: string | null | undefined
}

/** The meaning of a non-zero code for the call. `asked`: seconds that the answer's headers ask to wait. */
export function verdictOf(failure: Failure, { now, asked }: { now: number; asked: number | null }): Verdict {
  const { code } = failure
  const said = failure.message_cn || failure.message
  const isSystem = (code >= SYSTEM.from && code <= SYSTEM.to) || failure.code_type === 'SysException'
  const meaning = MEANINGS[code] ?? (isSystem ? later(10) : { kind: 'refused' as const })
  const wait = meaning.wait === 'nextDay' ? untilNextDay(now) : meaning.wait
  const retryAfter = asked ?? wait ?? null
  // The platform gives no wait, so ours grows with each refusal.
  const grows = asked === null && meaning.kind === 'later'
  const fault = new PlatformFault(meaning.kind, refusedWith(said, code), {
    code,
    retryAfter,
    isUncertain: isSystem && meaning.kind === 'later',
  })
  return {
    fault,
    ...(meaning.again && { again: meaning.again }),
    ...(meaning.isOfToken && { isOfToken: true as const }),
    ...(meaning.hold &&
      retryAfter !== null && { hold: { scope: meaning.hold, seconds: retryAfter, ...(grows && { grows }) } }),
  }
}
