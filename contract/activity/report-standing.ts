import { waitsUntil } from '../outcome.ts'
import type { AnyOutcome } from '../outcomes/entry.ts'
import type { ReportState } from '../report.ts'

/** What is known of the reading of an account's reports. Times are epoch seconds. */
export interface ReportReading {
  state: ReportState
  fail_outcome: AnyOutcome | null
  synced_at: number | null
  next_at: number | null
  complete_to: string | null
  missing_days: number
}

/** How an account's reports stand: exactly one of these is true, and one sentence is made of it. */
export type ReportStanding =
  /** Nobody has authorised it so far; its numbers can only come from files. */
  | { kind: 'unauthorised'; why: AnyOutcome }
  /** The platform takes no calls until somebody authorises it again. */
  | { kind: 'closed'; why: AnyOutcome }
  /** Given up until `at`, the next daily reading, or until somebody asks. */
  | { kind: 'failed'; why: AnyOutcome; at: number | null }
  /** Tried again by itself, at `at` where that is known. */
  | { kind: 'retrying'; why: AnyOutcome; at: number | null }
  /** Asked for, and no day is read so far. */
  | { kind: 'awaited'; days: number }
  | { kind: 'reading'; days: number; isFirst: boolean }
  /** Authorised, and not asked for so far: begins at `at`, or when somebody asks. */
  | { kind: 'unread'; at: number | null }
  | { kind: 'read'; read_at: number; at: number | null }

export function reportStanding(of: ReportReading): ReportStanding {
  const { state, fail_outcome: why, synced_at, next_at: at, complete_to, missing_days: days } = of
  if (state === 'paused' && why) return { kind: why.code === NEVER_AUTHORISED ? 'unauthorised' : 'closed', why }
  if (state === 'failed' && why) return { kind: 'failed', why, at }
  if (state === 'waiting') {
    if (why) return { kind: 'retrying', why, at: waitsUntil(why) }
    if (synced_at !== null) return { kind: 'reading', days, isFirst: false }
    return complete_to === null ? { kind: 'awaited', days } : { kind: 'reading', days, isFirst: true }
  }
  return synced_at === null ? { kind: 'unread', at } : { kind: 'read', read_at: synced_at, at }
}

const NEVER_AUTHORISED = 'report_never_authorised'

/** Whether it goes on only after somebody did something: what waits, and what nobody authorised so far, is no problem. */
export const needsSomebody = ({ kind }: ReportStanding): boolean => kind === 'closed' || kind === 'failed'
