import { METRIC_KEYS, type MetricKey, metricOf, SHORT_METRICS, visibleMetrics } from './metrics.ts'

/** Columns that a viewer who has chosen none sees. */
const FIRST_COLUMNS: readonly MetricKey[] = [
  ...(['budget', 'cost', 'imp_pv', 'click_pv', 'click_rate', 'cpm_platform'] as const),
  ...(['covert_cnt', 'convert_cost', 'convert_rate', 'pay_order_amount', 'pay_order_roi'] as const),
  ...(['creator', 'created_at'] as const),
]

/** Columns whose values are numbers; the others are texts and times of the activity itself. */
export type ValueKey = Exclude<MetricKey, 'status' | 'creator' | 'created_at' | 'product_name' | 'advertiser_name'>
const isValueKey = (key: MetricKey): key is ValueKey => {
  const { format } = metricOf(key)
  return format !== 'text' && format !== 'time'
}
export const VALUE_KEYS: readonly ValueKey[] = METRIC_KEYS.filter(isValueKey)

/** The status stands beside the name in every row, whichever columns are chosen. */
const COLUMN_KEYS: readonly MetricKey[] = METRIC_KEYS.filter((key) => key !== 'status')

/** Columns of the day report and of comparisons: what is measured, not what is said about an activity. */
export const isMeasured = (key: MetricKey): boolean => metricOf(key).from[0] !== 'ours'

interface Reader {
  see_restricted: boolean
}

/** The columns that a viewer may choose from. RPS has no advertisers for people to see. */
export const offeredColumns = (viewer: Reader, deployment: 'saas' | 'rps'): MetricKey[] =>
  visibleMetrics(COLUMN_KEYS, viewer).filter((key) => deployment === 'saas' || key !== 'advertiser_name')

/** A viewer's columns in order: those chosen that the viewer still may see, or the first ones. */
export function shownColumns(
  viewer: Reader,
  deployment: 'saas' | 'rps',
  chosen: readonly string[] | null,
): MetricKey[] {
  const offered = new Set<string>(offeredColumns(viewer, deployment))
  const known = (chosen ?? []).filter((key): key is MetricKey => offered.has(key))
  if (known.length > 0) return [...new Set(known)]
  return viewer.see_restricted ? [...FIRST_COLUMNS] : [...SHORT_METRICS]
}
