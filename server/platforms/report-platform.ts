import type { ReportedKey } from '#contract/activity/metrics.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { AccountSession, StepHooks } from './audience-platform.ts'

/** Days of the platform (YYYY-MM-DD), both included. */
export interface ReportRange {
  from: string
  to: string
}

/** Counts as they are, amounts in millionths of a yuan; what the platform does not report is missing. */
export type ReportCells = Partial<Record<ReportedKey, bigint>>

/** What a plan did on a day. */
export interface ReportRow {
  date: string
  /** The platform's own id; null for what it reports under no plan that calls know. */
  plan_id: string | null
  cells: ReportCells
}

/** A whole day of an account. */
export interface ReportDay {
  date: string
  /** None: nothing happened on the day. */
  plans: { plan_id: string; cells: ReportCells }[]
  /** The metrics of which the account has more than these plans. */
  rest: readonly ReportedKey[]
  /** Why the rows are not all that the platform knows of the day; null where they are. */
  fault: AnyOutcome | null
}

/** The reports of a platform. */
export interface PlatformReports {
  /** Scopes that the account must have been granted for them. */
  scopes: readonly string[]
  /** How many days back reports can be asked for, today included. */
  daysBack: number
  /** The most days of one call of `dailyReport`. */
  daysAtOnce: number
  /**
   * All days of the range, in order, over all pages. Throws PlatformFault: 'later' for an answer whose pages do not make
   * up a whole, which is read again and never returned in part.
   */
  dailyReport(account: AccountSession, range: ReportRange, on: StepHooks): Promise<ReportDay[]>
}
