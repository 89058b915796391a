import { metricWords } from '#contract/activity/metric-words.ts'
import type { ValueFormat } from './MetricValue.tsx'

/** What a line of a column's days shows, in words; empty where it shows nothing. */
export function trendWords(
  { label, format }: { label: string; format: ValueFormat },
  days: readonly string[],
  values: readonly (number | null)[],
): string {
  const known = values.flatMap((value, at) => (value === null ? [] : [{ value, day: days[at] ?? '' }]))
  const [first] = known
  const last = known.at(-1)
  if (!first || !last) return ''
  const least = known.reduce((one, other) => (other.value < one.value ? other : one))
  const most = known.reduce((one, other) => (other.value > one.value ? other : one))
  const words = ({ value, day }: { value: number; day: string }) => `${metricWords(format, value)}（${day}）`
  return `${label}的走势：最低 ${words(least)}，最高 ${words(most)}，最近 ${words(last)}`
}
