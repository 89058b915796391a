import { metricWords, shortMetricWords } from '#contract/activity/metric-words.ts'
import type { MetricFormat } from '#contract/activity/metrics.ts'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'

export type ValueFormat = Exclude<MetricFormat, 'text' | 'time'>
export const isValueFormat = (format: MetricFormat): format is ValueFormat => format !== 'text' && format !== 'time'

/** A metric in a list: large amounts are shortened, and shown in full on hover. */
export function MetricValue({ format, value }: { format: ValueFormat; value: number | null | undefined }) {
  const short = shortMetricWords(format, value ?? null)
  const whole = metricWords(format, value ?? null)
  if (short === whole) return <span>{whole}</span>
  return (
    <WholeOnHover text={whole}>
      <span>{short}</span>
    </WholeOnHover>
  )
}
