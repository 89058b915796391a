import type { ValueKey } from './columns.ts'
import type { ReportedKey } from './metrics.ts'

/** The columns of the list that have a line of their days: what was spent, what came of it, and at what price. */
export const TREND_KEYS = ['cost', 'covert_cnt', 'convert_cost'] as const satisfies readonly ValueKey[]
export type TrendKey = (typeof TREND_KEYS)[number]
export const isTrendKey = (key: string): key is TrendKey => TREND_KEYS.some((one) => one === key)

/** What platforms report of which these are made. */
export const TREND_SUMS = ['cost', 'covert_cnt'] as const satisfies readonly ReportedKey[]
