import { z } from 'zod'
import { VALUE_KEYS, type ValueKey } from './activity/columns.ts'
import { metricOf } from './activity/metrics.ts'

const valueWords = (key: ValueKey) => {
  const { label, tip, format } = metricOf(key)
  // The tips of amounts speak of yuan, as the screens do.
  const more = format === 'money' ? '，单位分' : tip ? `（${tip}）` : ''
  return `${label}${more}；没有来源时为 null，没有权限时没有此项`
}

/** A metric's values; what the viewer may not see is missing. */
export const MetricValues = z
  .object(
    Object.fromEntries(
      VALUE_KEYS.map((key) => [key, z.number().nullable().optional().describe(valueWords(key))]),
    ) as Record<ValueKey, z.ZodOptional<z.ZodNullable<z.ZodNumber>>>,
  )
  .extend({
    budget_total: z
      .number()
      .nullable()
      .optional()
      .describe('budget 中的总预算，单位分，其余为日预算；没有总预算时为 null，没有权限时没有此项'),
  })
  .meta({ id: 'MetricValues', description: '指标的值；没有权限看到的没有此项' })
export type MetricValues = z.output<typeof MetricValues>
