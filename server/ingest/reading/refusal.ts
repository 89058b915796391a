import type { CellFault, CellUnit } from '#contract/activity/metric-cell.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { outcome } from '#contract/outcomes/make.ts'
import { raggedRow } from '../../files/csv-slices.ts'
import type { Refusal } from '../../files/slice.ts'

export const ID_LENGTH_MAX = 512
export const EVENT_LENGTH_MAX = 200
/** Characters of a campaign, plan or account. */
export const REPORT_KEY_MAX = 200

/** The numbers of the reasons in the engine's answer. The first reason that applies counts. */
export const REFUSED = {
  ragged: 1,
  noId: 2,
  longId: 3,
  noEvent: 4,
  longEvent: 5,
  noTime: 6,
  badTime: 7,
  earlyTime: 8,
  lateTime: 9,
  longRow: 10,
  forgotten: 11,
  noDate: 12,
  badDate: 13,
  earlyDate: 14,
  lateDate: 15,
  noCampaign: 16,
  longKey: 17,
} as const

/** From here on a reason says which metric of a report is wrong, and how. */
const METRIC_REASONS = 20
const CELL_FAULTS = ['unreadable', 'negative', 'too_large'] as const satisfies readonly CellFault[]
export const metricReason = (index: number, fault: CellFault) =>
  METRIC_REASONS + index * CELL_FAULTS.length + CELL_FAULTS.indexOf(fault)

/** A column of a report with a metric, in the order of the mapping. */
export interface MetricColumn {
  column: string
  unit: CellUnit
}

function metricRefusal(reason: number, metrics: readonly MetricColumn[]): AnyOutcome | undefined {
  const of = metrics[Math.floor((reason - METRIC_REASONS) / CELL_FAULTS.length)]
  if (!of) return undefined
  const { column, unit } = of
  switch (CELL_FAULTS[(reason - METRIC_REASONS) % CELL_FAULTS.length]) {
    case 'unreadable':
      return outcome('row_metric_unreadable', { column, unit })
    case 'negative':
      return outcome('row_metric_negative', { column })
    case 'too_large':
      return outcome('row_metric_too_large', { column })
    default:
      return undefined
  }
}

const OUTCOMES: Record<Exclude<keyof typeof REFUSED, 'ragged'>, AnyOutcome> = {
  longRow: outcome('row_too_long'),
  forgotten: outcome('row_forgotten'),
  noId: outcome('row_without_id'),
  longId: outcome('row_id_too_long', { bytes: ID_LENGTH_MAX }),
  noEvent: outcome('row_without_event'),
  longEvent: outcome('row_event_too_long', { max: EVENT_LENGTH_MAX }),
  noTime: outcome('row_without_time'),
  badTime: outcome('row_time_unreadable'),
  earlyTime: outcome('row_time_too_early'),
  lateTime: outcome('row_time_too_late'),
  noDate: outcome('row_without_date'),
  badDate: outcome('row_date_unreadable'),
  earlyDate: outcome('row_date_too_early'),
  lateDate: outcome('row_date_too_late'),
  noCampaign: outcome('row_without_campaign'),
  longKey: outcome('row_key_too_long', { max: REPORT_KEY_MAX }),
}
const BY_NUMBER = new Map(Object.entries(OUTCOMES).map(([name, one]) => [REFUSED[name as keyof typeof REFUSED], one]))

/** Why the engine refused a row that has `has` of `wants` columns; `metrics`: those of a report. */
export function refusalOf(
  reason: number,
  has: number,
  wants: number,
  metrics: readonly MetricColumn[] = [],
): Pick<Refusal, 'outcome' | 'countedAs'> {
  if (reason === REFUSED.ragged) return raggedRow(has, wants)
  const refused =
    reason < METRIC_REASONS
      ? BY_NUMBER.get(reason as (typeof REFUSED)[keyof typeof REFUSED])
      : metricRefusal(reason, metrics)
  if (!refused) throw new Error(`no row is refused for reason ${reason}`)
  return { outcome: refused }
}
