import type { RowBudgets } from '#contract/activity/budget.ts'
import { budgetWords, metricWords, shortMetricWords } from '#contract/activity/metric-words.ts'
import type { MetricFormat } from '#contract/activity/metrics.ts'
import type { Column } from '#contract/activity-columns.ts'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { metricIn } from './metric-in.ts'

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

/** The value of a column in a row; the budgets of a day and of the whole time are two. */
export function ColumnValue(props: {
  column: Column
  row: RowBudgets
  /** Explains budgets on hover. */
  about?: string
}) {
  const { column, row, about } = props
  const { key, format } = column
  if (!isValueFormat(format)) return null
  if (key !== 'budget') return <MetricValue format={format} value={metricIn(row, key)} />
  return (
    <WholeOnHover text={[budgetWords(row).join('，'), ...(about === undefined ? [] : [about])].join('。')}>
      <span>
        {budgetWords(row, shortMetricWords).map((words) => (
          <div key={words}>{words}</div>
        ))}
      </span>
    </WholeOnHover>
  )
}

/** The same in full, as text. */
export const columnWords = ({ key, format }: { key: string; format: ValueFormat }, row: RowBudgets): string =>
  key === 'budget' ? budgetWords(row).join('，') : metricWords(format, metricIn(row, key))
