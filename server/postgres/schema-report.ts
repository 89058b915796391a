import type { Generated } from 'kysely'
import type { ReportedKey } from '#contract/activity/metrics.ts'
import type { ReportMark, ReportState } from '#contract/report.ts'
import type { OutcomeColumn } from './outcome-column.ts'

/** Tables of reports that are read from platforms. */
export interface ReportTables {
  report_account: ReportAccountTable
  report_read: ReportReadTable
  report_correction: ReportCorrectionTable
  /** Odd days that webhooks were told of, or would have been. */
  report_told: { campaign_id: number; date: string; mark: ReportMark['mark']; at: number }
}

export interface ReportAccountTable {
  account_id: number
  state: ReportState
  /** Why it is paused, failed or waits; null otherwise. */
  outcome: OutcomeColumn
  /** Failures in a row. */
  attempts: Generated<number>
  /** Of the last reading that began. */
  version: Generated<number>
  /** When the reading under way was asked for. */
  asked_at: number | null
  /** When all days that were due had been read. */
  synced_at: number | null
  /** Of the first failure since then. */
  failed_at: number | null
}

export interface ReportReadTable {
  account_id: number
  /** The platform's day, YYYY-MM-DD. */
  date: string
  is_due: boolean
  /** Of the reading in force; null for a day that was never read whole. */
  version: number | null
  /** When that reading began. */
  read_at: number | null
  /** Why the last reading was not stored. */
  outcome: OutcomeColumn
  /** The metrics of which the account has more than its plans, in the reading in force. */
  rest: Generated<ReportedKey[]>
}

/** The last change of a plan's day after the day was over. */
export interface ReportCorrectionTable {
  account_id: number
  date: string
  /** The platform's own id. */
  plan_id: string
  at: number
  /** The first metric that changed, with its values in its own unit. */
  metric: ReportedKey
  before: number
  after: number
}
